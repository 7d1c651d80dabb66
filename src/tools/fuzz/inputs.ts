import fc from 'fast-check'

/** Pieces that have slowed or misled parsers: brackets, separators, escapes, combining marks, lone surrogates. */
const PIECES = [
  String.raw`[ ] { } [] {} [[ ]] [a [a] [0] {"a": {"a":[ [1, 1, "a":1, "", , & = a=& a=1& a[]=1& a[b]=1& a[0]=1& % %5B %5b%5d`,
  String.raw`%00 %e2%80 %25 + ; ;a= " \ \u0041 \ud800 0 9 1e - . / /.. /. // * é < <!-- --> <a &amp; ' a@ .a a. @ x aA : ::`,
  'bytes= 0- -0, 😀 \u0430 \ufdfa \ufb2c \u1161 \uac00 e\u0301 \u0301 \u0327\u0301 \u200b \u202e \ud83d \0',
]
  .flatMap((line) => line.split(' '))
  .concat(' ', '\t', '\n', '\r\n')

const piece = fc.constantFrom(...PIECES)
const ends = fc.constantFrom('', 'x', '"', ']', '}', '!', '\n', '=', '@', ' ')

/** Text of at most `max` characters: a few pieces, repeated. */
export const hostileText = (max: number): fc.Arbitrary<string> =>
  fc
    .tuple(ends, fc.array(piece, { minLength: 1, maxLength: 4 }), fc.double({ min: 0, max: 1, noNaN: true }), ends)
    .map(([first, pieces, share, last]) => {
      const unit = pieces.join('')
      // Half of the texts have the maximum length, which exposes work that grows too fast.
      const wanted = share > 0.5 ? max : Math.floor(max * share ** 4)
      return (first + unit.repeat(Math.max(1, Math.floor((wanted - 2) / unit.length))) + last).slice(0, max)
    })

const NUMBERS = [
  '0 -0 -1 1.0 1.5 0.1 1e3 1E3 1e308 1e400 1e-400 -1e400 NaN Infinity -Infinity 2147483647 2147483648 -2147483648 4294967296',
  '9007199254740991 9007199254740992 9007199254740993 9223372036854775807 9223372036854775808 18446744073709551616',
  '9999999999 9999999999.1 99999999999 0x10 0b1 0o7 010 +1 1_000 1,000 1n ١ １ ½ ∞ null true [] {} 1.1.1 1. .1',
  `0.00000000000000000001 ${'1'.repeat(400)} ${'0'.repeat(400)}1 1.${'0'.repeat(400)}1`,
]
  .flatMap((line) => line.split(' '))
  .concat('', ' 1', '1 ')

/** Numbers as text, in unusual or invalid forms. */
export const hostileNumber: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.double().map(String),
  fc.maxSafeInteger().map(String),
  fc.bigInt().map(String),
)
