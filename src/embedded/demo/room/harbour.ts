import type { DemoFolder } from '../files.ts'
import { CORPORATE, INTELLECTUAL_PROPERTY } from './corporate.ts'
import { FINANCE } from './finance.ts'
import { BIDS, LEGAL, PEOPLE, QUESTIONS } from './legal.ts'
import { OVERVIEW } from './overview.ts'
import { INSURANCE, PROPERTY } from './property.ts'

/** Project Harbour, the sale of Harbour Terminals: the content of its room before people hand in documents. */
export const HARBOUR: DemoFolder[] = [
  OVERVIEW,
  CORPORATE,
  FINANCE,
  PROPERTY,
  LEGAL,
  PEOPLE,
  INTELLECTUAL_PROPERTY,
  INSURANCE,
  QUESTIONS,
  BIDS,
]
