import { t } from '@lingui/core/macro'
import { Facts } from './facts.tsx'
import type { SystemInfo } from './system-page.tsx'

export function Versions({ versions: { strongroom, node, postgresql, schema } }: Pick<SystemInfo, 'versions'>) {
  return (
    <Facts
      facts={[
        { name: 'Strongroom', value: strongroom },
        { name: t`Node.js`, value: node },
        { name: t`PostgreSQL`, value: <span translate="no">{postgresql}</span> },
        { name: t`Schema`, value: <span translate="no">{schema.replace(/\.sql$/, '')}</span> },
      ]}
    />
  )
}
