import { draft, type DemoFolder, paper, slides, workbook } from '../files.ts'
import { bars, heading, table } from '../pdf/report.ts'

export const BOARD_PAPERS: DemoFolder[] = [
  {
    name: 'Meetings',
    files: [
      paper(
        'Agenda',
        { subtitle: 'Next meeting of the board' },
        '1. Minutes. 2. State of the sale process. 3. Shore power. 4. Any other business.',
      ),
      draft('Report of the directors', 'Volumes in the first quarter were 3 percent above budget.'),
    ],
  },
]

/** The financing round of another company of the organization, small enough to see at a glance. */
export const SERIES_B: DemoFolder[] = [
  {
    name: 'Pitch',
    files: [
      slides(
        'Deck',
        ['Tidewater Robotics', 'Series B'],
        ['Product', 'Robots that inspect quay walls below the water'],
        ['Ask', '18 million euros'],
      ),
      paper(
        'One pager',
        { subtitle: 'Tidewater Robotics B.V.' },
        'Robots that inspect quay walls below the water, without divers and without closing a berth.',
        bars('Recurring revenue, million euros', ['2023', 0.6], ['2024', 1.9], ['2025', 4.2]),
      ),
    ],
  },
  {
    name: 'Numbers',
    files: [
      workbook('Cap table', {
        'Cap table': [
          ['Holder', 'Shares', 'Percent'],
          ['Founders', 620_000, 62],
          ['Seed investors', 180_000, 18],
          ['Harbour Terminals B.V.', 120_000, 12],
          ['Options', 80_000, 8],
        ],
      }),
      workbook('Plan 2026 to 2028', {
        Plan: [
          ['Year', 'Recurring revenue, million', 'Employees'],
          [2026, 8.1, 64],
          [2027, 15.4, 98],
          [2028, 27, 141],
        ],
      }),
    ],
  },
  {
    name: 'Term sheet',
    files: [
      paper(
        'Term sheet – draft',
        { subtitle: 'For discussion' },
        heading('Economics'),
        table(
          ['Term', 'Proposal'],
          ['Amount', '18 million euros'],
          ['Before money', '72 million euros'],
          ['Preference', 'Once, not participating'],
        ),
      ),
    ],
  },
]
