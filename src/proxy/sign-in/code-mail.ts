import type { Mail } from '../../mail/transport.ts'

export function codeMail(to: string, code: string, publicUrl: string): Mail {
  const lines = [
    `Your code to sign in to Strongroom at ${publicUrl}:`,
    'It is valid for 10 minutes and only in the browser in which you asked for it: type it in there, wherever you read this mail.',
    'Nobody of Strongroom will ever ask you for it.',
    'If you did not ask for a code, ignore this mail: nobody can sign in without it.',
  ] as const
  return {
    to,
    subject: 'Your Strongroom sign-in code',
    text: `${lines[0]}\n\n    ${code}\n\n${lines[1]}\n${lines[2]}\n${lines[3]}\n`,
    html: `<!doctype html>
<html lang="en">
<body style="font-family: system-ui, sans-serif; color: #1b2426">
<p>${lines[0]}</p>
<p style="font-size: 28px; letter-spacing: 6px; font-weight: 600">${code}</p>
<p>${lines[1]}</p>
<p>${lines[2]}</p>
<p style="color: #5c6b6e">${lines[3]}</p>
</body>
</html>
`,
  }
}
