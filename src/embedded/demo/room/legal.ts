import {
  arabicDraft,
  draft,
  type DemoFile,
  type DemoFolder,
  japanesePaper,
  list,
  note,
  paper,
  workbook,
} from '../files.ts'
import { heading, points, table } from '../pdf/report.ts'
import { CLAIM, dayIn, EMPLOYEES, HEADCOUNT, OFFERED } from './figures.ts'

const AGREEMENT = [
  '# 1. Sale',
  'The seller sells and the buyer buys all shares in Harbour Terminals B.V., free of encumbrances.',
  '# 2. Price',
  'The purchase price is determined on a cash-free and debt-free basis as at the locked-box date, 31 December 2025.',
  '# 3. Warranties',
  'The warranties are subject to the matters fairly disclosed in this data room.',
]

const SPA = 'Share purchase agreement'

export const LEGAL: DemoFolder = {
  name: 'Legal',
  files: [
    list(
      'Supplier contracts',
      ['Supplier', 'Subject', 'Ends'],
      ['Noord Cranes', 'Maintenance of four cranes', '2027-12-31'],
      ['Waal Energy', 'Electricity', '2028-06-30'],
      ['Delta IT', 'Terminal operating system', '2029-03-31'],
    ),
  ],
  folders: [
    {
      name: 'Transaction',
      files: [
        draft(SPA, ...AGREEMENT),
        draft(
          'Disclosure letter',
          'The seller makes the following disclosures against the warranties of the agreement.',
          `The claim of the dredging contractor for ${CLAIM} euros.`,
          'The repair of two joints of the quay wall.',
        ),
        paper(
          'Non-disclosure agreement – form',
          { subtitle: 'As signed by each party before it was let in' },
          heading('1. What is confidential'),
          'Everything in this data room, that it exists, and that the parties talk.',
          heading('2. For how long'),
          'For three years. What was downloaded is destroyed on request.',
        ),
      ],
    },
    {
      name: 'Commercial contracts',
      files: [
        paper(
          'Terminal services agreement – Nordlink',
          { subtitle: 'Nordlink Shipping A/S and Harbour Terminals B.V., 1 January 2024' },
          heading('Volumes'),
          'Nordlink brings at least 80 thousand TEU a year until 31 December 2028.',
          table(
            ['Service', 'Euros for each container'],
            ['Discharge or load', 64],
            ['Storage, a day after the fifth', 9],
            ['Refrigeration, a day', 31],
          ),
          heading('Change of control'),
          'Nordlink may end the agreement within 90 days after a competitor has taken control.',
        ),
        japanesePaper(
          '東海海運 業務委託契約書',
          '東海海運株式会社とハーバー・ターミナルズ社は、ロッテルダム港におけるコンテナ荷役について、次のとおり契約する。',
          '第一条　委託者は、年間四万TEU以上のコンテナの荷役および保管を受託者に委託する。',
          '第二条　契約期間は二〇二五年四月一日から二〇二八年三月三十一日までとする。',
          '第三条　両当事者は、本契約に関する情報を秘密として保持する。',
        ),
        arabicDraft(
          'مذكرة تفاهم – خط الخليج للشحن',
          'أبرمت هذه المذكرة بين شركة خط الخليج للشحن وشركة هاربر للمحطات في مدينة روتردام.',
          'يتعاون الطرفان في مناولة الحاويات وتخزينها، بحجم لا يقل عن عشرين ألف حاوية سنويا.',
          'تبقى هذه المذكرة سارية حتى نهاية عام ٢٠٢٧ وتعد جميع المعلومات الواردة فيها سرية.',
        ),
        workbook('Customers', {
          Customers: [
            ['Customer', 'Share of revenue, percent', 'Contract until'],
            ['Nordlink Shipping', 18, '2028-12-31'],
            ['Rhine Feeder', 12, '2027-06-30'],
            ['東海海運 (Tokai Kaiun)', 10, '2028-03-31'],
            ['خط الخليج (Gulf Line)', 6, '2027-12-31'],
          ],
        }),
      ],
    },
    {
      name: 'Disputes',
      files: [
        paper(
          'Claim of the dredging contractor',
          { subtitle: 'District Court of Rotterdam' },
          `The contractor claims ${CLAIM} euros for additional work in 2024. The company disputes the claim; a hearing is set.`,
          table(
            ['Item', 'Euros'],
            ['Additional sand, 21,000 m³', 189_000],
            ['Standing time of the dredger', 86_000],
            ['Interest and costs', 35_000],
            ['Total', 310_000],
          ),
        ),
        draft(
          'Statement of defence',
          'The quantities were measured by both parties and were within the contract.',
          'Standing time was caused by the contractor alone.',
        ),
        paper(
          'Opinion of counsel',
          { subtitle: 'Lindqvist Law, privileged', foot: 'Privileged and confidential' },
          'We think it more likely than not that the claim fails. Should it succeed in full, costs included, the exposure is below 0.4 million euros.',
        ),
      ],
    },
  ],
}

/** The second version, which counsel uploads a few days later. */
export const SECOND_SPA: DemoFile = draft(
  SPA,
  ...AGREEMENT,
  '# 4. Conditions',
  'Completion is subject to the consent of the competition authority and to the lessor not objecting.',
)

export const PEOPLE: DemoFolder = {
  name: 'People',
  files: [
    workbook('Headcount', {
      Headcount: [
        ['Department', 'Employees', 'Of them part time'],
        ...HEADCOUNT.map(({ department, employees, partTime }) => [department, employees, partTime]),
        ['Total', EMPLOYEES, 47],
      ],
    }),
    workbook('Employees, without names', {
      Employees: [
        ['Number', 'Department', 'Born', 'Since', 'Salary, euros'],
        ...Array.from({ length: 24 }, (_, at) => [
          `E-${1000 + at * 7}`,
          HEADCOUNT[at % 5 === 0 ? 1 : at % 7 === 0 ? 2 : 0]?.department ?? '',
          1965 + ((at * 11) % 36),
          2001 + ((at * 5) % 23),
          38_400 + ((at * 2170) % 31_000),
        ]),
      ],
    }),
    draft(
      'Employment terms',
      'Employees work 38 hours a week and have 28 days of leave. The collective agreement of the port applies to operational staff.',
    ),
    paper(
      'Pension scheme',
      { subtitle: 'Port pension fund' },
      table(['Share of salary, percent', 'Employer', 'Employee'], ['Defined contribution', 14, 7]),
      'There are no obligations beyond the contributions, but for eleven former employees (0.6 million euros, provided for).',
    ),
    paper(
      'Betriebsvereinbarung Arbeitszeit Duisburg',
      { subtitle: 'Hafenlager Ruhr GmbH und ihr Betriebsrat', foot: 'Vertraulich' },
      'Die wöchentliche Arbeitszeit beträgt 38 Stunden. Überstunden werden innerhalb von sechs Monaten ausgeglichen.',
      points('Frühschicht 6 bis 14 Uhr', 'Spätschicht 14 bis 22 Uhr', 'Zuschläge für Sonn- und Feiertage'),
    ),
  ],
}

/** Uploaded by mistake, then deleted. */
export const WITH_NAMES: DemoFile = workbook('Employees, with names', {
  Employees: [
    ['Name', 'Department', 'Since'],
    ['A. Bakker', 'Operations', 2004],
    ['F. Yilmaz', 'Maintenance', 2011],
  ],
})

export const QUESTIONS: DemoFolder = {
  name: 'Questions and answers',
  files: [
    workbook('Questions', {
      Questions: [
        ['No.', 'Asked by', 'Question', 'Answer', 'Status'],
        [
          1,
          'Buyer',
          'When will the joints of the quay wall be repaired?',
          'In the third quarter of 2026; see the site survey.',
          'answered',
        ],
        [2, 'Buyer', 'Is the dredging claim provided for?', 'No; see the opinion of counsel.', 'answered'],
        [
          3,
          'Lender',
          'Are the cranes insured against wind?',
          'Up to 42 metres a second; see the property policy.',
          'answered',
        ],
        [4, 'Buyer', 'May we visit the site?', '', 'open'],
      ],
    }),
    paper(
      'Answers of the first round',
      { subtitle: 'To all parties' },
      heading('1. When will the joints of the quay wall be repaired?'),
      'In the third quarter of 2026. The works need no permit and do not interrupt operations.',
      heading('2. Is the dredging claim provided for?'),
      `No. The claim of ${CLAIM} euros is disputed and thought unlikely to succeed.`,
      heading('3. Are the cranes insured against wind?'),
      'Yes, while secured, up to 42 metres a second.',
    ),
  ],
}

export const BIDS: DemoFolder = {
  name: 'Bids',
  files: [
    note(
      'How to submit',
      `Upload your offer into this folder before noon UTC on ${dayIn(9)}. Each party sees only what its group may see.`,
    ),
    draft(
      'Offer – form',
      '# Price',
      'For all shares, free of cash and debt: ____ million euros.',
      '# Financing',
      '# Conditions',
      '# Contacts',
    ),
  ],
}

/** The document that Tom hands in. */
export const OFFER: DemoFile = paper(
  'Indicative offer Northgate',
  { subtitle: 'Northgate Partners to the shareholders of Harbour Terminals B.V.', foot: 'Subject to contract' },
  `Northgate Partners offers, subject to contract, ${OFFERED} million euros for all shares on a cash-free and debt-free basis.`,
  table(['Million euros', 'Amount'], ['Equity of our fund', 84], ['Bank debt', 58], ['Enterprise value', OFFERED]),
  `The offer stands until ${dayIn(45)}. We ask for the contracts with the four largest customers, and to see the site.`,
)
