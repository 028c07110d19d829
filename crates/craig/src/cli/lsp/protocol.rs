//! Messages of the language server protocol: a header with a length, and a JSON object of JSON-RPC.

use crate::report::json::Json;
use std::io::{self, BufRead, Write};

/// No message of an editor is longer; what claims to be is no message.
const LONGEST: usize = 1 << 28;

/// The next message; nothing at the end of the input.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Json>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let Some(length) = length.filter(|&length| length <= LONGEST) else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a message without a length"));
    };
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    let text = String::from_utf8_lossy(&body);
    Json::parse(&text)
        .map(Some)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
}

pub fn write(output: &mut impl Write, message: &Json) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// The answer to a request.
pub fn response(id: &Json, result: Json) -> Json {
    Json::object([("jsonrpc", Json::from("2.0")), ("id", id.clone()), ("result", result)])
}

/// The refusal of a request that is not known.
pub fn not_found(id: &Json, method: &str) -> Json {
    let error = Json::object([
        ("code", Json::Integer(-32601)),
        ("message", format!("there is no `{method}`").into()),
    ]);
    Json::object([("jsonrpc", Json::from("2.0")), ("id", id.clone()), ("error", error)])
}

/// Something that the editor is told without having asked.
pub fn notification(method: &str, params: Json) -> Json {
    Json::object([("jsonrpc", Json::from("2.0")), ("method", method.into()), ("params", params)])
}

/// The path of a `file:` URI.
pub fn path_of(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let bytes = rest.as_bytes();
    let (mut path, mut at) = (Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = rest.get(at + 1..at + 3).filter(|_| byte == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                path.push(decoded);
                at += 3;
            }
            None => {
                path.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_framed_by_their_length() {
        let message = notification("x", Json::from("ä"));
        let mut bytes = Vec::new();
        write(&mut bytes, &message).expect("written");
        write(&mut bytes, &Json::Null).expect("written");
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).expect("read"), Some(message));
        assert_eq!(read(&mut input).expect("read"), Some(Json::Null));
        assert_eq!(read(&mut input).expect("read"), None);
        assert!(read(&mut "X: 1\r\n\r\n".as_bytes()).is_err());
    }

    #[test]
    fn paths_are_decoded() {
        assert_eq!(path_of("file:///a%20b/c.c").as_deref(), Some("/a b/c.c"));
        assert_eq!(path_of("untitled:1"), None);
    }
}
