import { DEFAULT_LOOK } from '../../../contract/endpoints/looks/default-look.ts'
import type { Marking, Reader } from '../../store/downloads/marks.ts'

export const SAMPLE_READER: Reader = {
  first_name: 'Bob',
  last_name: 'Tester',
  email: 'bob@example.com',
  ip: '203.0.113.9',
  time_zone: 'UTC',
  workspace_name: 'Harbour',
  at: new Date('2026-03-03T09:15:10Z'),
}

export const SAMPLE_MARKING: Marking = { looks: [DEFAULT_LOOK], reader: SAMPLE_READER }
