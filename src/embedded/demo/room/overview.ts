import { type DemoFolder, note, paper, slides, workbook } from '../files.ts'
import { bars, heading, newPage, points, table } from '../pdf/report.ts'
import {
  ACCOUNTS,
  dayIn,
  ebitda,
  EMPLOYEES,
  FORECAST,
  growth,
  LEASES,
  netDebt,
  operatingProfit,
  revenue,
  SHAREHOLDERS,
  VOLUMES,
  YEARS,
} from './figures.ts'

const CONFIDENTIAL = 'Project Harbour – strictly confidential'

const informationMemorandum = paper(
  'Information memorandum',
  { subtitle: 'Sale of all shares in Harbour Terminals B.V.', cover: true, foot: CONFIDENTIAL },
  heading('Important notice'),
  'This memorandum was prepared for the parties invited into this data room. It is made available under the non-disclosure agreement each of them has signed, and may not be passed on. It is no offer; the share purchase agreement alone will bind seller and buyer.',
  heading('The company in brief'),
  `Harbour Terminals B.V. operates a container terminal on the waterfront of Rotterdam, a depot in Antwerp and a warehouse in Duisburg. In 2025 its ${EMPLOYEES} employees handled ${VOLUMES[2025]} thousand TEU.`,
  points(
    `Revenue of ${revenue(2025)} million euros in 2025, ${growth(2025)} percent above the year before`,
    `EBITDA of ${ebitda(2025)} million euros; net debt of ${netDebt(2025)} million, ${(netDebt(2025) / ebitda(2025)).toFixed(1)} times EBITDA`,
    '620 metres of quay with 14.2 metres of depth, four ship-to-shore cranes',
    'Lease of the Rotterdam site until 2048, with an option for ten more years',
    'Shore power from October 2027: 4.2 million euros, of which 1.1 million are granted',
  ),
  table(
    ['Key figures, million euros', ...YEARS.map(String)],
    ['Revenue', ...YEARS.map(revenue)],
    ['EBITDA', ...YEARS.map(ebitda)],
    ['Operating profit', ...YEARS.map(operatingProfit)],
    ['Net debt', ...YEARS.map(netDebt)],
    ['Volume, thousand TEU', ...YEARS.map((year) => VOLUMES[year])],
  ),
  newPage,
  heading('Business'),
  'Half of revenue comes from handling containers for four shipping lines; storage, rail and truck services follow their volumes. The ten largest customers stand for 71 percent of revenue, the largest for 18 percent. Contracts run for three to five years, with tariffs that follow the consumer price index.',
  bars('Revenue by segment in 2025, million euros', ...Object.entries(ACCOUNTS[2025].segments)),
  heading('Market'),
  'The trade of the port grew by 2.1 percent a year over the last decade. Berths of this depth inside the city are not built any more: the terminal keeps its place next to rail and motorway.',
  bars('Containers, thousand TEU', ...YEARS.map((year): [string, number] => [String(year), VOLUMES[year]])),
  newPage,
  heading('Property'),
  'All sites are leased. The buildings and cranes on them belong to the company.',
  table(
    ['Site', 'Hectares', 'Lease ends', 'Rent 2025, million'],
    ...LEASES.map(({ site, hectares, ends, rent }) => [site, hectares, ends, rent]),
  ),
  'The quay wall was inspected by divers in May 2025. Its condition is good; two joints need repair within three years, for which 0.4 million euros are in the plan for 2026.',
  heading('People'),
  `The company employs ${EMPLOYEES} people. Operational staff come under the collective agreement of the port. No key employee has given notice.`,
  heading('Shareholders'),
  table(
    ['Shareholder', 'Shares', 'Percent'],
    ...SHAREHOLDERS.map(({ name, shares, percent }) => [name, shares, percent]),
  ),
  newPage,
  heading('Financial development'),
  bars('Revenue, million euros', ...YEARS.map((year): [string, number] => [String(year), revenue(year)])),
  bars('EBITDA, million euros', ...YEARS.map((year): [string, number] => [String(year), ebitda(year)])),
  newPage,
  heading('Plan'),
  'Volumes grow with the trade of the port. No acquisitions are assumed.',
  table(
    ['Million euros', 'Revenue', 'EBITDA', 'Investment'],
    ...FORECAST.map(({ year, revenue, ebitda, investment }) => [String(year), revenue, ebitda, investment]),
  ),
  heading('The transaction'),
  `The shareholders intend to sell all shares, free of cash and debt, with 31 December 2025 as the date of the locked box. Indicative offers are due by noon on ${dayIn(9)}; see the process letter.`,
)

export const OVERVIEW: DemoFolder = {
  name: 'Overview',
  files: [
    note(
      'Read me first',
      'Project Harbour: how this room is organised\n\n1 Overview    the memorandum, the process and whom to ask\n2-8           the company, in the order of the request list\n9 Questions   answers are added here, usually within two working days\n10 Bids       where offers are handed in\n\nQuestions go to Marta Nowak. What you see depends on your group; if something seems to be missing, ask.',
    ),
    informationMemorandum,
    paper(
      'Process letter',
      { subtitle: 'To the parties invited', foot: CONFIDENTIAL },
      'Thank you for your interest in Harbour Terminals B.V. This letter sets out the first phase of the sale.',
      table(
        ['Step', 'Date'],
        ['Data room opens', dayIn(-14)],
        ['Questions are taken until', dayIn(6)],
        ['Indicative offers, by noon UTC', dayIn(9)],
        ['Management presentations', dayIn(20)],
        ['Binding offers', dayIn(48)],
      ),
      heading('What an offer says'),
      points(
        'The price for all shares, free of cash and debt, in euros',
        'How it is financed, and how certain that is',
        'Conditions, approvals and what remains to be examined',
        'Who decides, and who advises',
      ),
      'Offers are uploaded into the folder Bids of this room. Each party sees its own group only.',
    ),
    paper(
      'Teaser',
      { subtitle: 'A terminal on the waterfront', foot: 'Project Harbour' },
      'A leading independent operator of container terminals in the Netherlands, with depots in Belgium and Germany, is looking for a new owner.',
      points(
        `${VOLUMES[2025]} thousand TEU, ${revenue(2025)} million euros of revenue`,
        'A lease until 2048 on a site that cannot be built again',
        'An experienced management that stays',
      ),
    ),
    slides(
      'Management presentation',
      ['Harbour Terminals', 'Project Harbour', 'Management presentation'],
      ['The company', `${EMPLOYEES} employees, three sites`, `${VOLUMES[2025]} thousand TEU in 2025`],
      ['Figures', `Revenue ${revenue(2025)} million euros`, `EBITDA ${ebitda(2025)} million euros`],
      ['Shore power', 'In service from October 2027', '4.2 million euros, 1.1 million granted'],
    ),
    workbook('Working group list', {
      Contacts: [
        ['Party', 'Name', 'Role', 'E-mail'],
        ['Seller', 'Ines Carvalho', 'Chair', 'ines.carvalho@harbour.example'],
        ['Seller', 'Marta Nowak', 'Keeps the data room', 'marta.nowak@harbour.example'],
        ['Counsel', 'Jonas Lindqvist', 'Lindqvist Law', 'jonas.lindqvist@lindqvist-law.example'],
        ['Buyer', 'Tom Becker', 'Northgate Partners', 'tom.becker@northgate.example'],
        ['Lender', 'Ayesha Rahman', 'Meridian Bank', 'ayesha.rahman@meridianbank.example'],
      ],
    }),
  ],
}
