//! One server process: an inbox, a desk and what it waits for. It drives the desk as the server's
//! runner does; only that Postgres is a message away.

use std::collections::VecDeque;

use super::world::Client;
use crate::board::Board;
use crate::board::change::Delta;
use crate::board::command::Envelope;
use crate::desk::{Batch, Desk, Key, Stored, Token};

/// Times a single command is tried before it fails alone.
pub const TRIES_MAX: u32 = 4;

/// What a process asks Postgres.
#[derive(Debug)]
pub enum Ask {
    LookUp(Vec<Key>),
    Write(Box<Batch>),
    Confirm,
    /// After doubt: the board afresh, and these keys.
    Load(Vec<Key>),
    /// The log, while nothing is under way.
    Follow,
}

/// What Postgres answers.
pub enum Answer {
    LookedUp(Vec<Stored>),
    Done,
    Known(Vec<Stored>),
    Behind(Vec<Delta>),
    Confirmed,
    Loaded(Box<Board>, Vec<Key>, Vec<Stored>),
    Log(Vec<Delta>),
    /// An error, or silence: nobody knows what became of it.
    Doubt,
}

pub type Commands = Vec<(Token, Envelope)>;

/// What the process is at.
pub enum Busy {
    Idle,
    /// The desk waits for an answer.
    Driving,
    /// In doubt: these commands wait for the board.
    Loading(Commands, u32),
    Following,
}

pub struct Process {
    pub alive: bool,
    /// Grows with every start: answers to an earlier life are nobody's.
    pub life: u32,
    /// Grows with every question: an answer that comes after it was given up is nobody's either.
    pub question: u32,
    pub desk: Desk,
    pub inbox: VecDeque<(Envelope, Client)>,
    pub waiting: Vec<(Token, Client)>,
    /// Halves of a doubtful batch, last first.
    pub work: Vec<(Commands, u32)>,
    /// Of the commands that are being driven.
    pub tries: u32,
    pub busy: Busy,
    pub last_token: Token,
}

impl Process {
    pub fn start(board: Board, known: Vec<Key>, now: crate::time::Millis, life: u32) -> Self {
        Self {
            alive: true,
            life,
            question: 0,
            desk: Desk::new(board, known, now),
            inbox: VecDeque::new(),
            waiting: Vec::new(),
            work: Vec::new(),
            tries: 0,
            busy: Busy::Idle,
            last_token: 0,
        }
    }

    pub fn token(&mut self, client: Client) -> Token {
        self.last_token += 1;
        self.waiting.push((self.last_token, client));
        self.last_token
    }

    pub fn client_of(&mut self, token: Token) -> Option<Client> {
        let at = self.waiting.iter().position(|(other, _)| *other == token)?;
        Some(self.waiting.swap_remove(at).1)
    }
}
