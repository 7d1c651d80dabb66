import type { Reply } from '../../../../contract/endpoint.ts'
import type { permissions } from '../../../../contract/endpoints/permissions.ts'

/** The changes that bring back exactly the rights from before. */
export type Inverse = Reply<typeof permissions.change>['inverse']
