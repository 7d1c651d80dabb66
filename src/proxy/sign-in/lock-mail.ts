import type { Mail } from '../../mail/transport.ts'

/** Tells a user, once, that their codes were guessed at. */
export function lockMail(to: string, seconds: number, publicUrl: string): Mail {
  const minutes = Math.ceil(seconds / 60)
  const lines = [
    `Ten wrong codes were entered at ${publicUrl} for this e-mail address.`,
    `To keep others out, no code is taken for it for ${minutes} minutes. Where you are signed in, you stay signed in.`,
    'If it was not you, there is nothing you need to do: nobody has got in. Tell an administrator if it happens again.',
  ] as const
  return {
    to,
    subject: 'Strongroom takes no sign-in codes for you for now',
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<body style="font-family: system-ui, sans-serif; color: #1b2426">
${lines.map((line) => `<p>${line}</p>`).join('\n')}
</body>
</html>
`,
  }
}
