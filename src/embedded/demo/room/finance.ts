import { draft, type DemoFolder, list, paper, workbook } from '../files.ts'
import { bars, heading, newPage, table } from '../pdf/report.ts'
import {
  ACCOUNTS,
  ebitda,
  equity,
  FORECAST,
  netDebt,
  netProfit,
  operatingProfit,
  revenue,
  totalAssets,
  YEARS,
} from './figures.ts'

const POLICIES: [title: string, text: string][] = [
  ['General', 'The accounts are drawn up in euros under Dutch law. The policies are those of the year before.'],
  ['Revenue', 'Handling is recognised when the container leaves the terminal, storage by the day.'],
  ['Tangible assets', 'Quays are depreciated over 40 years, cranes over 20, other equipment over 3 to 10.'],
  ['Leases', 'Rents are charged to the year they are paid for; what is owed for later years is shown in note 9.'],
  ['Receivables', 'Shown at nominal value, less 0.2 million euros for doubtful ones.'],
  ['Provisions', 'For dismantling at the end of leases, and for pensions of former employees.'],
]

/** Statements, then notes. Each statement also shows the previous year where figures exist. */
function accounts(year: (typeof YEARS)[number], opinion: string) {
  const all = YEARS.filter((each) => each === year || each === year - 1).toReversed()
  const per = (value: (each: (typeof YEARS)[number]) => number) => all.map(value)
  const { segments, costs, assets } = ACCOUNTS[year]
  const rows = (names: object, of: 'segments' | 'costs' | 'assets', sign = 1) =>
    Object.keys(names).map((name) => [name, ...per((each) => sign * (ACCOUNTS[each][of][name] ?? 0))])
  return paper(
    `Audited accounts ${year}`,
    { subtitle: 'Harbour Terminals B.V. and its subsidiaries', foot: 'Audited: Van Dam Accountants, Rotterdam' },
    heading('Income statement'),
    table(
      ['Million euros', ...all.map(String)],
      ...rows(segments, 'segments'),
      ['Revenue', ...per(revenue)],
      ...rows(costs, 'costs', -1),
      ['EBITDA', ...per(ebitda)],
      ['Depreciation', ...per((each) => -ACCOUNTS[each].depreciation)],
      ['Operating profit', ...per(operatingProfit)],
      ['Interest', ...per((each) => -ACCOUNTS[each].interest)],
      ['Tax', ...per((each) => -ACCOUNTS[each].tax)],
      ['Profit for the year', ...per(netProfit)],
    ),
    newPage,
    heading('Balance sheet at 31 December'),
    table(
      ['Million euros', ...all.map(String)],
      ...rows(assets, 'assets'),
      ['Total assets', ...per(totalAssets)],
      ['Equity', ...per(equity)],
      ['Bank loans', ...per((each) => ACCOUNTS[each].loans)],
      ['Payables', ...per((each) => ACCOUNTS[each].payables)],
      ['Provisions', ...per((each) => ACCOUNTS[each].provisions)],
    ),
    bars(`Revenue by segment in ${year}, million euros`, ...Object.entries(segments)),
    newPage,
    heading('Notes'),
    ...POLICIES.flatMap(([title, text], at) => [heading(`Note ${at + 1}. ${title}`), text]),
    newPage,
    heading('Report of the independent auditor'),
    opinion,
    'Rotterdam. Van Dam Accountants',
  )
}

const FAIR = (year: number) =>
  `In our opinion the financial statements give a true and fair view of the financial position of Harbour Terminals B.V. as at 31 December ${year}, and of its result for the year.`

const thousand = (value: number) => Math.round(value * 1000)

export const FINANCE: DemoFolder = {
  name: 'Finance',
  files: [
    list(
      'Bank covenants',
      ['Covenant', 'Limit', 'December 2025'],
      ['Net debt to EBITDA', '3.0', (netDebt(2025) / ebitda(2025)).toFixed(1)],
      ['EBITDA to interest', '4.0', (ebitda(2025) / ACCOUNTS[2025].interest).toFixed(1)],
      ['Minimum liquidity, million euros', '5.0', '11.4'],
    ),
    paper(
      'Facility agreement – summary',
      { subtitle: 'Meridian Bank and Waal Bank, 18 November 2022' },
      table(
        ['Facility', 'Million euros', 'Until', 'Margin'],
        ['Term loan', 38, '30 November 2029', '1.85 %'],
        ['Investment line, drawn', 6, '30 November 2029', '1.95 %'],
        ['Overdraft, not drawn', 8, '30 November 2027', '1.60 %'],
      ),
      heading('Change of control'),
      'The lenders may ask for repayment within 60 days if Carvalho Holding ceases to hold more than half of the shares.',
    ),
  ],
  folders: [
    {
      name: 'Audited accounts',
      files: [
        accounts(2025, FAIR(2025)),
        accounts(
          2024,
          `${FAIR(2024)} Without qualifying our opinion we draw attention to the dredging contract, which has since been renewed.`,
        ),
        accounts(2023, FAIR(2023)),
        workbook('Trial balance 2025', {
          'Trial balance': [
            ['Account', 'Name', 'Debit, thousand', 'Credit, thousand'],
            ...Object.entries(ACCOUNTS[2025].assets).map(([name, value], at) => [
              1000 + at * 100,
              name,
              thousand(value),
              0,
            ]),
            [2000, 'Equity', 0, thousand(equity(2025))],
            [2400, 'Bank loans', 0, thousand(ACCOUNTS[2025].loans)],
            [2600, 'Payables', 0, thousand(ACCOUNTS[2025].payables)],
            [2800, 'Provisions', 0, thousand(ACCOUNTS[2025].provisions)],
          ],
        }),
      ],
    },
    {
      name: 'Management accounts',
      files: [
        paper(
          'Report first quarter 2026',
          { subtitle: 'To the board' },
          table(
            ['Million euros', 'Actual', 'Budget', 'Year before'],
            ['Revenue', 15.9, 15.4, 14.8],
            ['EBITDA', 3.8, 3.6, 3.5],
            ['Volume, thousand TEU', 121, 117, 113],
          ),
          'Volumes were 3 percent above budget. Energy was dearer than planned; maintenance was later.',
          bars('Volume by month, thousand TEU', ['January', 39.2], ['February', 38.1], ['March', 43.7]),
        ),
        workbook('Monthly figures 2025', {
          Monthly: [
            ['Month', 'Revenue, thousand', 'Volume, TEU'],
            ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((month, at) => [
              month,
              [4790, 4680, 5330, 5090, 5210, 5120, 5040, 4980, 5260, 5420, 5230, 5150][at] ?? 0,
              [36_900, 36_100, 40_000, 38_800, 39_700, 39_100, 38_500, 38_000, 40_200, 41_400, 39_900, 39_400][at] ?? 0,
            ]),
            ['Total', 61_300, 468_000],
          ],
        }),
        list(
          'Receivables by age',
          ['Customer', 'Not due', '1-30 days', '31-60 days', 'Over 60 days'],
          ['Nordlink Shipping', 1420, 210, 0, 0],
          ['Tokai Kaiun', 980, 0, 0, 0],
          ['Rhine Feeder', 730, 160, 40, 0],
          ['Others', 3180, 520, 90, 70],
        ),
      ],
    },
    {
      name: 'Forecasts',
      files: [
        workbook('Forecast 2026 to 2030', {
          Forecast: [
            ['Year', 'Revenue, thousand', 'EBITDA, thousand', 'Investment, thousand'],
            ...FORECAST.map((each) => [
              each.year,
              thousand(each.revenue),
              thousand(each.ebitda),
              thousand(each.investment),
            ]),
          ],
        }),
        draft(
          'Assumptions of the forecast',
          'Volumes grow with the trade of the port, at 2.1 percent a year. Tariffs follow the consumer price index.',
          'Shore power is in service from October 2027. No acquisitions are assumed.',
        ),
      ],
    },
    {
      name: 'Tax',
      files: [
        paper(
          'Corporate income tax 2024',
          { subtitle: 'Return and assessment' },
          table(
            ['Thousand euros', 'Return', 'Assessment'],
            ['Profit before tax', 5800, 5800],
            ['Taxable', 5814, 5814],
            ['Tax at 25.8 percent', 1500, 1500],
          ),
          'The assessment is final. There are no disputes with the authorities.',
        ),
        list(
          'VAT returns 2025',
          ['Quarter', 'Filed', 'Paid, thousand'],
          ['Q1', '2025-04-28', 812],
          ['Q2', '2025-07-30', 845],
          ['Q3', '2025-10-29', 861],
          ['Q4', '2026-01-30', 838],
        ),
      ],
    },
    { name: 'Term sheets' },
  ],
}

/** The document that Ayesha hands in. */
export const TERM_SHEET = paper(
  'Term sheet Meridian Bank',
  {
    subtitle: 'Indicative, for the financing of a purchase',
    foot: 'Meridian Bank: subject to contract and credit approval',
  },
  table(
    ['Term', 'Proposal'],
    ['Facility', 'Term loan of 58 million euros'],
    ['Leverage', 'At most 3.9 times EBITDA'],
    ['Tenor', 'Six years'],
    ['Margin', '2.40 percent over Euribor'],
    ['Security', 'Shares, cranes, receivables; mortgage on the lease'],
  ),
  'Our credit committee has been informed. We ask for the survey of the quay wall and for the insurance of the cranes before we confirm.',
)
