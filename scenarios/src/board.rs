//! The chessboard: which moves are legal, how they are written, and whether one ends the game.
//!
//! Notation is read as people write it on scoresheets: check, mate and capture signs may be missing, a capture sign may be
//! too many, a castle may have zeros for letters. A sign of a check or mate that is none is a mistake. What is kept is
//! the standard form.

use std::fmt;

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Color, FenParseError, File, GameStatus, Move, Piece, Rank};
use flagfall_core::Side;
use flagfall_trace::plan::{GameEnd, MoveMade};

use crate::diagnostics::{Complaint, nearest, quoted};

/// Most moves that a message lists.
const LISTED_MAX: usize = 12;

/// A position on the board.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    board: Board,
}

/// Why a text is no position that a game can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PositionError {
    /// Not eight ranks: write each of them.
    #[error("this is no position: the board has {0} ranks, not 8")]
    Ranks(usize),
    /// Every field can be read, but no game leads there: look at kings, pawns, and who is in check.
    #[error("no game comes to this position")]
    Board,
    /// A field cannot be read: write it as the notation has it.
    #[error("this is no position: {}", .0.trim_end_matches('.').to_lowercase())]
    Field(String),
}

impl From<PositionError> for Complaint {
    fn from(error: PositionError) -> Self {
        Self::new(error.to_string()).help(match error {
            PositionError::Board => {
                "each side has one king, pawns stand on ranks 2 to 7, and only the side on the move may be in check"
            }
            PositionError::Ranks(_) | PositionError::Field(_) => {
                "write six fields of Forsyth-Edwards notation, like \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\""
            }
        })
    }
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MoveError {
    /// The text is no move at all: write it in standard algebraic notation.
    #[error("`{san}` is no move in algebraic notation")]
    Unreadable { san: String },
    /// No such move here: use the nearest, or one of those of that piece.
    #[error("`{san}` is not legal here")]
    Illegal { san: String, nearest: Option<String>, piece: &'static str, legal: Vec<String> },
    /// Two pieces could make it: say which.
    #[error("`{san}` can be more than one move")]
    Ambiguous { san: String, candidates: Vec<String> },
    /// A sign says check or mate, and the move gives none: leave it out, or look at the position.
    #[error("`{san}` gives no {claimed}")]
    Sign { san: String, claimed: &'static str, standard: String },
    /// Mate or stalemate: nothing can be played any more.
    #[error("the game is over: {} has no legal move", side)]
    Over { side: Side },
}

impl From<MoveError> for Complaint {
    fn from(error: MoveError) -> Self {
        let complaint = Self::new(error.to_string());
        match error {
            MoveError::Unreadable { .. } => complaint.help("write a move like `e4`, `Nf3`, `exd5`, `O-O` or `e8=Q`"),
            MoveError::Illegal { nearest: Some(near), .. } => complaint.help(format!("did you mean `{near}`?")),
            MoveError::Illegal { piece, legal, .. } if legal.is_empty() => {
                complaint.help(format!("no {piece} can move"))
            }
            MoveError::Illegal { piece, legal, .. } => {
                complaint.help(format!("legal moves of a {piece}: {}", listed(&legal)))
            }
            MoveError::Ambiguous { candidates, .. } => complaint.help(format!("say which: {}", listed(&candidates))),
            MoveError::Sign { standard, .. } => complaint.help(format!("write `{standard}`")),
            MoveError::Over { .. } => complaint,
        }
    }
}

fn listed(moves: &[String]) -> String {
    let shown: Vec<&str> = moves.iter().take(LISTED_MAX).map(String::as_str).collect();
    let more = if moves.len() > LISTED_MAX { format!(" and {} more", moves.len() - LISTED_MAX) } else { String::new() };
    format!("{}{more}", quoted(&shown))
}

impl Position {
    /// The position at the beginning of a game.
    pub(crate) fn start() -> Self {
        Self { board: Board::startpos() }
    }

    /// A position from Forsyth-Edwards notation.
    pub(crate) fn from_fen(fen: &str) -> Result<Self, PositionError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let ranks = fields.first().map_or(0, |board| board.split('/').count());
        if ranks != 8 {
            return Err(PositionError::Ranks(ranks));
        }
        match Board::from_fen(&fields.join(" "), false) {
            Ok(board) => Ok(Self { board }),
            Err(FenParseError::InvalidBoard) => Err(PositionError::Board),
            Err(error) => Err(PositionError::Field(error.to_string())),
        }
    }

    /// Who is to move.
    pub(crate) fn side(&self) -> Side {
        match self.board.side_to_move() {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }

    /// Makes a move of the side to move.
    pub(crate) fn play(&mut self, san: &str) -> Result<MoveMade, MoveError> {
        let found = self.find(san)?;
        let side = self.side();
        let standard = self.written(found);
        if let Some(claimed) = false_sign(san, &standard) {
            return Err(MoveError::Sign { san: san.into(), claimed, standard });
        }
        self.board.play(found);
        let ends = match self.board.status() {
            GameStatus::Won => Some(GameEnd::Checkmate),
            _ if self.legal().is_empty() => Some(GameEnd::Stalemate),
            _ => None,
        };
        Ok(MoveMade { side, san: standard, after: self.to_string(), ends })
    }

    fn find(&self, san: &str) -> Result<Move, MoveError> {
        let legal = self.legal();
        if legal.is_empty() {
            return Err(MoveError::Over { side: self.side() });
        }
        let wanted = Wanted::parse(san).ok_or_else(|| MoveError::Unreadable { san: san.into() })?;
        let matching: Vec<Move> = legal.iter().copied().filter(|made| wanted.is(&self.board, *made)).collect();
        match matching.as_slice() {
            [only] => Ok(*only),
            [] => Err(self.illegal(san, wanted.piece(), &legal)),
            several => Err(MoveError::Ambiguous {
                san: san.into(),
                candidates: several.iter().map(|made| self.written(*made)).collect(),
            }),
        }
    }

    fn legal(&self) -> Vec<Move> {
        let mut legal = Vec::new();
        self.board.generate_moves(|moves| {
            legal.extend(moves);
            false
        });
        legal
    }

    /// Says what could have been meant: the moves of that piece if they are few, else the one spelled most like it.
    fn illegal(&self, san: &str, piece: Piece, legal: &[Move]) -> MoveError {
        let written = |wanted: Option<Piece>| -> Vec<String> {
            let of_piece = |made: &&Move| wanted.is_none_or(|piece| self.board.piece_on(made.from) == Some(piece));
            legal.iter().filter(of_piece).map(|made| self.written(*made)).collect()
        };
        let of_piece = written(Some(piece));
        let guess_among = match of_piece.len() {
            0 => written(None),
            1..=LISTED_MAX => Vec::new(),
            _ => of_piece.clone(),
        };
        let nearest = nearest(san, guess_among.iter().map(String::as_str)).map(str::to_owned);
        MoveError::Illegal { san: san.into(), nearest, piece: name_of(piece), legal: of_piece }
    }

    fn written(&self, made: Move) -> String {
        display_san_move(&self.board, made).to_string()
    }
}

impl fmt::Display for Position {
    /// Forsyth-Edwards notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)
    }
}

/// What the signs of a written move say and its standard form does not; mate is check too.
fn false_sign(written: &str, standard: &str) -> Option<&'static str> {
    if written.contains('#') && !standard.contains('#') {
        Some("mate")
    } else if written.contains('+') && !standard.contains(['+', '#']) {
        Some("check")
    } else {
        None
    }
}

const fn name_of(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// What a written move says, as far as it says it.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Castle { long: bool },
    Step { piece: Piece, from_file: Option<File>, from_rank: Option<Rank>, to: (File, Rank), promotion: Option<Piece> },
}

impl Wanted {
    fn parse(san: &str) -> Option<Self> {
        let bare = san.trim().trim_end_matches(['+', '#', '!', '?']);
        match bare {
            "O-O" | "0-0" => return Some(Self::Castle { long: false }),
            "O-O-O" | "0-0-0" => return Some(Self::Castle { long: true }),
            _ => {}
        }
        let mut rest: Vec<char> = bare.chars().filter(|c| !matches!(c, 'x' | '-' | ':')).collect();
        let promotion = match rest.last() {
            Some(last) if last.is_ascii_uppercase() => {
                let piece = piece_of(*last)?;
                rest.pop();
                rest.pop_if(|c| *c == '=');
                Some(piece)
            }
            _ => None,
        };
        let rank = Rank::try_from(rest.pop()?).ok()?;
        let file = File::try_from(rest.pop()?).ok()?;
        let from_rank = rest.pop_if(|c| c.is_ascii_digit()).map(Rank::try_from).transpose().ok()?;
        let from_file = rest.pop_if(|c| c.is_ascii_lowercase()).map(File::try_from).transpose().ok()?;
        let piece = match rest.pop() {
            Some(letter) => piece_of(letter)?,
            None => Piece::Pawn,
        };
        rest.is_empty().then_some(Self::Step { piece, from_file, from_rank, to: (file, rank), promotion })
    }

    const fn piece(&self) -> Piece {
        match self {
            Self::Castle { .. } => Piece::King,
            Self::Step { piece, .. } => *piece,
        }
    }

    /// Whether a legal move is the one that is written.
    fn is(&self, board: &Board, made: Move) -> bool {
        // The library writes a castle as the king taking his own rook.
        let castles = board.color_on(made.to) == Some(board.side_to_move());
        match self {
            Self::Castle { long } => castles && (made.to.file() < made.from.file()) == *long,
            Self::Step { piece, from_file, from_rank, to, promotion } => {
                !castles
                    && board.piece_on(made.from) == Some(*piece)
                    && (made.to.file(), made.to.rank()) == *to
                    && made.promotion == *promotion
                    && from_file.is_none_or(|file| made.from.file() == file)
                    && from_rank.is_none_or(|rank| made.from.rank() == rank)
            }
        }
    }
}

fn piece_of(letter: char) -> Option<Piece> {
    if !letter.is_ascii_uppercase() {
        return None;
    }
    Piece::try_from(letter.to_ascii_lowercase()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRICKY: &str = "3k2n1/7P/Q3p3/4BPp1/Q1Q4q/8/5B2/R3K2R w KQ g6 0 1";

    fn plays(fen: &str, san: &str) -> Result<String, MoveError> {
        Position::from_fen(fen).expect("a position").play(san).map(|made| made.san)
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        for (written, standard) in [
            ("hxg8=R", "hxg8=R+"),
            ("hg8R", "hxg8=R+"),
            ("O-O-O", "O-O-O+"),
            ("0-0-0", "O-O-O+"),
            ("O-O", "O-O"),
            ("Bd4", "Bd4"),
            ("fxg6", "fxg6"),
            ("f5g6", "fxg6"),
            ("h8=Q!", "h8=Q"),
        ] {
            assert_eq!(plays(TRICKY, written), Ok(standard.into()), "{written}");
        }
    }

    #[test]
    fn a_move_that_cannot_be_is_named() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(matches!(plays(start, "Zz9"), Err(MoveError::Unreadable { .. })));
        assert!(matches!(plays(start, "kd2"), Err(MoveError::Unreadable { .. })));
        assert!(plays(TRICKY, "Kh1").is_err(), "the king takes no rook of his own");
        assert!(matches!(plays(start, "O-O"), Err(MoveError::Illegal { piece: "king", .. })));
        let Err(MoveError::Illegal { nearest, legal, .. }) = plays(start, "e5") else { panic!("e5 is illegal") };
        assert_eq!((nearest.as_deref(), legal.len()), (Some("e3"), 16));
        let Err(MoveError::Illegal { nearest, legal, .. }) = plays(start, "Nd2") else { panic!("Nd2 is illegal") };
        assert_eq!((nearest, legal.len()), (None, 4));
        let two_rooks = "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
        let Err(MoveError::Ambiguous { candidates, .. }) = plays(two_rooks, "Rd1") else { panic!("two rooks") };
        assert_eq!(candidates, ["Rad1", "Rhd1"]);
        assert_eq!(plays(two_rooks, "Rad1"), Ok("Rad1".into()));
    }

    #[test]
    fn a_sign_may_be_missing_and_may_not_be_false() {
        for (written, claimed, standard) in [
            ("Bd4+", "check", "Bd4"),
            ("Bd4#", "mate", "Bd4"),
            ("hxg8=R#", "mate", "hxg8=R+"),
            ("O-O+!", "check", "O-O"),
        ] {
            let sign = MoveError::Sign { san: written.into(), claimed, standard: standard.into() };
            assert_eq!(plays(TRICKY, written), Err(sign), "{written}");
        }
        for written in ["Qg7", "Qg7+", "Qg7#", "Qg7#!"] {
            assert_eq!(plays("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", written), Ok("Qg7#".into()), "{written}");
        }
    }

    #[test]
    fn the_end_of_a_game_is_noticed() {
        let mut position = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1").expect("a position");
        let mate = position.play("Qg7").expect("it is legal");
        assert_eq!((mate.ends, mate.san.as_str()), (Some(GameEnd::Checkmate), "Qg7#"));
        assert_eq!(position.play("Kg8"), Err(MoveError::Over { side: Side::Black }));
        let mut position = Position::from_fen("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1").expect("a position");
        assert_eq!(position.play("Qg6").expect("it is legal").ends, Some(GameEnd::Stalemate));
        let mut position = Position::start();
        assert_eq!(position.play("e4").expect("it is legal").ends, None);
        assert_eq!(position.side(), Side::Black);
    }

    #[test]
    fn a_bad_position_says_why() {
        for bad in
            ["", "x", "7k/5Q2/6K1/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0"]
        {
            assert!(Position::from_fen(bad).is_err(), "{bad}");
        }
        assert!(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3  w - -  0 41").is_ok());
    }
}
