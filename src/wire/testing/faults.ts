/** Malformed HTTP requests -> the status of the refusal. `Host` stands for the server's own. */
export const FAULTS: [what: string, pieces: string[], status: number][] = [
  ['no Host', ['GET /healthz HTTP/1.1\r\n\r\n'], 400],
  ['two Hosts', ['GET /healthz HTTP/1.1\r\nHost\r\nHost: evil.test\r\n\r\n'], 400],
  ['an unknown expectation', ['GET /healthz HTTP/1.1\r\nHost\r\nExpect: the-unexpected\r\n\r\n'], 417],
  [
    'an unknown expectation of a body',
    ['PUT /api/v1/files/upload HTTP/1.1\r\nHost\r\nExpect: 200-ok\r\nContent-Length: 5\r\n\r\n', 'hello'],
    417,
  ],
  ['no request line', ['hello\r\n\r\n'], 400],
  ['a binary greeting', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'], 400],
  ['an unknown method', ['FETCH /healthz HTTP/1.1\r\nHost\r\n\r\n'], 400],
  ['an unknown version', ['GET /healthz HTTP/3.7\r\nHost\r\n\r\n'], 400],
  ['a space in a header name', ['GET /healthz HTTP/1.1\r\nHost\r\nX Y: 1\r\n\r\n'], 400],
  ['a folded line before any header', ['GET /healthz HTTP/1.1\r\n folded: 1\r\nHost\r\n\r\n'], 400],
  ['a NUL in a header', ['GET /healthz HTTP/1.1\r\nHost\r\nX: a\0b\r\n\r\n'], 400],
  [
    'length and chunks at once',
    ['POST /api/v1/teams HTTP/1.1\r\nHost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    400,
  ],
  ['two lengths', ['POST /api/v1/teams HTTP/1.1\r\nHost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'], 400],
  ['a length that is no number', ['POST /api/v1/teams HTTP/1.1\r\nHost\r\nContent-Length: -5\r\n\r\n'], 400],
  ...[
    ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
    ['chunks by another name', 'Transfer-Encoding: xchunked'],
    ['chunks behind a control character', 'Transfer-Encoding:\x0bchunked'],
    ['chunks behind a bare line feed', 'X: a\nTransfer-Encoding: chunked'],
    ['one length twice', 'Content-Length: 0\r\nContent-Length: 0'],
    ['a list of lengths', 'Content-Length: 0, 0'],
    ['a length with a sign', 'Content-Length: +0'],
    ['a space before the colon', 'Content-Length : 0'],
  ].map(([what = '', header]): [string, string[], number] => [
    what,
    [`POST /api/v1/teams HTTP/1.1\r\nHost\r\n${header}\r\n\r\n0\r\n\r\n`],
    400,
  ]),
  ['headers without end', [`GET /healthz HTTP/1.1\r\nHost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`], 431],
  ['many headers', [`GET /healthz HTTP/1.1\r\nHost\r\n${'X-Y: 1\r\n'.repeat(20_000)}\r\n`], 431],
  ['a target without end', [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost\r\n\r\n`], 431],
]

export const withHost = (host: string, pieces: string[]) =>
  pieces.map((piece) => piece.replace('\r\nHost\r\n', `\r\nHost: ${host}\r\n`))
