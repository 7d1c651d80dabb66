import { AYESHA, type DemoPerson, JONAS, LENA, MARTA, PETRA, PRIYA, TOM } from './people.ts'

/** A person enters a workspace and reads files. */
export interface Visit {
  person: DemoPerson
  /** Working days before today. */
  day: number
  time: string
  minutes: number
  /** Paths of files, in this order. */
  views?: string[]
  downloads?: string[]
}

const MEMORANDUM = 'Overview/Information memorandum.pdf'
const PROCESS = 'Overview/Process letter.pdf'
const ACCOUNTS = [2025, 2024, 2023].map((year) => `Finance/Audited accounts/Audited accounts ${year}.pdf`)
const [ACCOUNTS_2025 = ''] = ACCOUNTS
const SURVEY = 'Property/Surveys/Site survey 2025.pdf'
const POLICY = 'Insurance/Property policy 2026.pdf'

export const HARBOUR_VISITS: Visit[] = [
  {
    person: JONAS,
    day: 11,
    time: '10:20',
    minutes: 50,
    views: [
      'Legal/Transaction/Share purchase agreement.docx',
      'Legal/Disputes/Claim of the dredging contractor.pdf',
      'Corporate/Articles of association.pdf',
    ],
    downloads: ['Legal/Transaction/Share purchase agreement.docx'],
  },
  {
    person: TOM,
    day: 9,
    time: '08:40',
    minutes: 75,
    views: ['Overview/Read me first.txt', MEMORANDUM, PROCESS, ACCOUNTS_2025, SURVEY],
    downloads: [MEMORANDUM, PROCESS],
  },
  {
    person: AYESHA,
    day: 9,
    time: '13:15',
    minutes: 40,
    views: [MEMORANDUM, 'Finance/Bank covenants.csv', 'Finance/Facility agreement – summary.pdf'],
  },
  {
    person: PRIYA,
    day: 8,
    time: '09:05',
    minutes: 90,
    views: [
      MEMORANDUM,
      ...ACCOUNTS,
      'Finance/Forecasts/Forecast 2026 to 2030.xlsx',
      'Finance/Tax/Corporate income tax 2024.pdf',
    ],
    downloads: ACCOUNTS,
  },
  {
    person: TOM,
    day: 7,
    time: '14:30',
    minutes: 55,
    views: [
      'Property/Leases/Lease schedule.xlsx',
      'Property/Leases/Mietvertrag Lagerhalle Duisburg.pdf',
      'Property/Surveys/Quay wall – section.pdf',
      'Property/Photographs/Joint C4 of the quay wall.jpg',
    ],
    downloads: [SURVEY],
  },
  {
    person: PETRA,
    day: 6,
    time: '08:10',
    minutes: 45,
    views: [
      POLICY,
      'Insurance/Insurance schedule.xlsx',
      'Insurance/Loss history.csv',
      'Property/Surveys/Site survey 2025.pdf',
    ],
    downloads: [POLICY, 'Insurance/Loss history.csv'],
  },
  {
    person: PRIYA,
    day: 6,
    time: '10:00',
    minutes: 35,
    views: [
      'Legal/Commercial contracts/Terminal services agreement – Nordlink.pdf',
      'Legal/Commercial contracts/東海海運 業務委託契約書.pdf',
      'Legal/Commercial contracts/Customers.xlsx',
    ],
  },
  {
    person: AYESHA,
    day: 5,
    time: '11:20',
    minutes: 60,
    views: [ACCOUNTS_2025, 'Finance/Management accounts/Report first quarter 2026.pdf', SURVEY, POLICY],
    downloads: [ACCOUNTS_2025, 'Finance/Bank covenants.csv'],
  },
  {
    person: JONAS,
    day: 4,
    time: '08:30',
    minutes: 20,
    views: ['Legal/Disputes/Opinion of counsel.pdf', 'Corporate/Shareholders/Shareholders agreement.docx'],
  },
  {
    person: TOM,
    day: 3,
    time: '15:10',
    minutes: 60,
    views: [
      'Questions and answers/Answers of the first round.pdf',
      ACCOUNTS_2025,
      MEMORANDUM,
      'Bids/How to submit.txt',
    ],
    downloads: [ACCOUNTS_2025],
  },
  { person: MARTA, day: 2, time: '09:00', minutes: 15, views: ['Questions and answers/Questions.xlsx'] },
  {
    person: PRIYA,
    day: 1,
    time: '07:50',
    minutes: 40,
    views: [
      'Questions and answers/Questions.xlsx',
      'Property/Surveys/Soil samples.csv',
      'Corporate/Shareholders/Cap table.xlsx',
    ],
  },
  { person: TOM, day: 1, time: '16:25', minutes: 25, views: [PROCESS, 'Property/Permits/Environmental permit.pdf'] },
]

export const SERIES_B_VISITS: Visit[] = [
  { person: LENA, day: 4, time: '10:00', minutes: 20, views: ['Pitch/Deck.pptx'] },
  {
    person: AYESHA,
    day: 3,
    time: '09:30',
    minutes: 20,
    views: ['Pitch/Deck.pptx', 'Pitch/One pager.pdf', 'Numbers/Cap table.xlsx'],
  },
  { person: MARTA, day: 1, time: '12:10', minutes: 10, views: ['Pitch/One pager.pdf'] },
]
