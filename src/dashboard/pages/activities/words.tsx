import type { ReactNode } from 'react'
import { Link, type To } from 'react-router-dom'

export function Words({ to, children }: { to: To | undefined; children: ReactNode }) {
  return to === undefined ? children : <Link to={to}>{children}</Link>
}
