import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

interface CopyButtonProps {
  text: string
  label?: string
}

/** Copies a text and says so on the button for two seconds. */
export function CopyButton({ text, label = t`Copy` }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      variant="outlined"
      startIcon={copied ? <Check size={15} /> : <Copy size={15} />}
      onClick={async () => {
        await navigator.clipboard.writeText(text)
        setCopied(true)
      }}
    >
      <span aria-live="polite">{copied ? t`Copied` : label}</span>
    </Button>
  )
}
