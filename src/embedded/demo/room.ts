import { type DemoFile, draft, letter, list, note, sheet, sitePlan } from './documents.ts'

export interface DemoFolder {
  name: string
  files?: DemoFile[]
  folders?: DemoFolder[]
}

const CONFIDENTIAL =
  'This document is confidential and made available under the non-disclosure agreement of 2 March 2026.'

const CORPORATE: DemoFolder = {
  name: 'Corporate',
  files: [
    letter(
      'Articles of association',
      'Harbour Terminals B.V. has its registered office in Rotterdam. Its objects are the operation of terminals, the storage and handling of goods, and everything connected with these.',
      'The share capital is divided into 180,000 ordinary shares of one euro each. A transfer of shares needs the approval of the general meeting.',
      'The company is managed by a board of two or more directors. Two directors acting jointly represent it.',
    ),
    sheet('Cap table', [
      ['Shareholder', 'Shares', 'Percent'],
      ['Carvalho Holding', 108000, 60],
      ['Delta Pension Fund', 54000, 30],
      ['Employees', 18000, 10],
    ]),
    letter(
      'Board minutes January 2026',
      'Present: I. Carvalho (chair), P. de Wit, M. Nowak. The minutes of the meeting of November were approved.',
      'The board discussed the sale process and resolved to open a data room to three interested parties. Ms Nowak will keep the room and answer questions within two working days.',
      'The board approved the budget for 2026 with an investment of 4.2 million euros in shore power.',
    ),
    note(
      'Read me first',
      `Project Harbour: how this room is organised.\n\nQuestions go to Marta Nowak. ${CONFIDENTIAL}`,
    ),
  ],
}

const FINANCE: DemoFolder = {
  name: 'Finance',
  folders: [
    {
      name: 'Audited accounts',
      files: [
        letter(
          'Audited accounts 2025',
          'Revenue rose by 8.4 percent to 61.3 million euros; operating profit was 9.7 million euros after 8.1 million euros the year before.',
          'In our opinion the financial statements give a true and fair view of the financial position of Harbour Terminals B.V. as at 31 December 2025.',
          ...Array.from(
            { length: 12 },
            (_, note) =>
              `Note ${note + 1}. Figures are stated in thousands of euros unless otherwise said. The policies applied are those of the year before. ${CONFIDENTIAL}`,
          ),
        ),
        letter(
          'Audited accounts 2024',
          'Revenue was 56.5 million euros; operating profit was 8.1 million euros.',
          'The auditor drew attention to the dredging contract, which has since been renewed.',
        ),
        sheet('Trial balance 2025', [
          ['Account', 'Name', 'Debit', 'Credit'],
          [1000, 'Quays and buildings', 48200, 0],
          [1200, 'Cranes', 15950, 0],
          [1600, 'Receivables', 7420, 0],
          [2000, 'Equity', 0, 39100],
          [2400, 'Bank loans', 0, 32470],
        ]),
      ],
    },
    {
      name: 'Forecasts',
      files: [
        sheet('Forecast 2026 to 2030', [
          ['Year', 'Revenue', 'EBITDA', 'Investment'],
          [2026, 64100, 15300, 6200],
          [2027, 67800, 16400, 5100],
          [2028, 70200, 17300, 4300],
          [2029, 72600, 18100, 4100],
          [2030, 75000, 18900, 4000],
        ]),
        draft(
          'Assumptions of the forecast',
          'Volumes grow with the trade of the port, at 2.1 percent a year. Tariffs follow the consumer price index.',
          'Shore power is in service from October 2027. No acquisitions are assumed.',
        ),
      ],
    },
  ],
  files: [
    list('Bank covenants', [
      ['Covenant', 'Limit', 'December 2025'],
      ['Net debt to EBITDA', '3.0', '2.2'],
      ['Interest cover', '4.0', '6.8'],
      ['Minimum liquidity, million euros', '5.0', '11.4'],
    ]),
  ],
}

const PROPERTY: DemoFolder = {
  name: 'Property',
  folders: [
    {
      name: 'Leases',
      files: [
        draft(
          'Lease – Rotterdam terminal',
          'The Port Authority lets to Harbour Terminals B.V. the site of 14.6 hectares at Waalhaven, with 620 metres of quay.',
          'The term ends on 31 December 2048. The lessee may extend it once by ten years with notice of three years.',
        ),
        letter(
          'Lease – Antwerp depot',
          'The depot of 2.1 hectares is let until 30 June 2031. Either party may end the lease with notice of twelve months.',
        ),
      ],
    },
    {
      name: 'Surveys',
      files: [
        letter(
          'Site survey 2025',
          'The quay wall was inspected by divers in May 2025. Its condition is good; two joints need repair within three years.',
          'Soil samples at eleven points show no contamination above the intervention values.',
        ),
        sitePlan('Site plan'),
      ],
    },
  ],
}

const LEGAL: DemoFolder = {
  name: 'Legal',
  folders: [
    {
      name: 'Transaction',
      files: [
        draft(
          'Share purchase agreement',
          'The seller sells and the buyer buys all shares in Harbour Terminals B.V., free of encumbrances.',
          'The purchase price is determined on a cash-free and debt-free basis as at the locked-box date, 31 December 2025.',
          'The warranties are subject to the matters fairly disclosed in this data room.',
        ),
        draft(
          'Disclosure letter',
          'The seller makes the following disclosures against the warranties of the agreement.',
        ),
      ],
    },
    {
      name: 'Disputes',
      files: [
        letter(
          'Claim of the dredging contractor',
          'The contractor claims 310,000 euros for additional work. The company disputes the claim; a hearing is set for September.',
        ),
      ],
    },
  ],
  files: [
    list('Supplier contracts', [
      ['Supplier', 'Subject', 'Ends'],
      ['Noord Cranes', 'Maintenance of four cranes', '2027-12-31'],
      ['Waal Energy', 'Electricity', '2028-06-30'],
      ['Delta IT', 'Terminal operating system', '2029-03-31'],
    ]),
  ],
}

const PEOPLE: DemoFolder = {
  name: 'People',
  files: [
    draft(
      'Employment terms',
      'Employees work 38 hours a week and have 28 days of leave. The collective agreement of the port applies to operational staff.',
    ),
    sheet('Headcount', [
      ['Department', 'Employees', 'Of them part time'],
      ['Operations', 214, 31],
      ['Maintenance', 47, 4],
      ['Office', 38, 12],
    ]),
  ],
}

const INTELLECTUAL_PROPERTY: DemoFolder = {
  name: 'Intellectual property',
  files: [
    letter(
      'Trade marks',
      'The word mark HARBOUR TERMINALS is registered for the European Union in classes 35, 36 and 39 until 14 August 2031.',
    ),
  ],
}

const INSURANCE: DemoFolder = {
  name: 'Insurance',
  files: [
    sheet('Insurance schedule', [
      ['Cover', 'Insurer', 'Sum, million euros', 'Renewal'],
      ['Property', 'Maas Mutual', 120, '2027-01-01'],
      ['Terminal liability', 'Noordzee', 50, '2027-01-01'],
      ['Directors and officers', 'Noordzee', 15, '2026-10-01'],
    ]),
  ],
}

const BIDS: DemoFolder = {
  name: 'Bids',
  files: [
    note(
      'How to submit',
      'Upload your offer into this folder before 12:00 UTC on the last day. Each party sees only what it may see.',
    ),
  ],
}

export const HARBOUR: DemoFolder[] = [
  CORPORATE,
  FINANCE,
  PROPERTY,
  LEGAL,
  PEOPLE,
  INTELLECTUAL_PROPERTY,
  INSURANCE,
  BIDS,
]

export const BOARD_PAPERS: DemoFolder[] = [
  {
    name: 'Meetings',
    files: [
      letter('Agenda March 2026', '1. Minutes. 2. State of the sale process. 3. Shore power. 4. Any other business.'),
      draft('Report of the directors', 'Volumes in the first quarter were 3 percent above budget.'),
    ],
  },
]

/** What Tom hands in, as himself. */
export const OFFER: DemoFile = letter(
  'Indicative offer Northgate',
  'Northgate Partners offers, subject to contract, 142 million euros for all shares on a cash-free and debt-free basis.',
  'The offer stands until 30 April 2026 and is financed with equity and committed bank debt.',
)
