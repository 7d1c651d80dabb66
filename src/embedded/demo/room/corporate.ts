import { draft, type DemoFolder, paper, workbook } from '../files.ts'
import { heading, points, table } from '../pdf/report.ts'
import { EMPLOYEES, growth, revenue, SHAREHOLDERS } from './figures.ts'

const minutes = (month: string, present: string, ...items: [title: string, text: string][]) =>
  paper(
    `Board minutes ${month}`,
    { subtitle: 'Harbour Terminals B.V., Rotterdam', foot: 'Confidential: members of the board' },
    `Present: ${present}.`,
    ...items.flatMap(([title, text], at) => [heading(`${at + 1}. ${title}`), text]),
  )

export const CORPORATE: DemoFolder = {
  name: 'Corporate',
  files: [
    paper(
      'Articles of association',
      { subtitle: 'As amended on 14 June 2022' },
      heading('Article 1. Name and seat'),
      'The company is called Harbour Terminals B.V. and has its registered office in Rotterdam.',
      heading('Article 2. Objects'),
      'Its objects are the operation of terminals, the storage and handling of goods, and everything connected with these.',
      heading('Article 3. Capital'),
      'The share capital is divided into 180,000 ordinary shares of one euro each, numbered from 1 to 180,000.',
      heading('Article 4. Transfer of shares'),
      'A transfer of shares needs the approval of the general meeting, given with a majority of two thirds of the votes.',
      heading('Article 5. Management'),
      'The company is managed by a board of two or more directors. Two directors acting jointly represent it.',
      heading('Article 6. Profit'),
      'Profit is at the disposal of the general meeting, as far as equity exceeds the reserves required by law.',
      ...Array.from({ length: 6 }, (_, at) => [
        heading(`Article ${at + 7}. Further provisions`),
        'Notices are given in writing. A meeting decides with a simple majority of the votes cast unless the law or these articles ask for more; each share gives one vote. Minutes are kept of every meeting and signed by its chair.',
      ]).flat(),
    ),
    paper(
      'Extract of the commercial register',
      { subtitle: 'Chamber of commerce, 9 February 2026' },
      table(
        ['Entry', 'Content'],
        ['Number', '24 188 305'],
        ['Name', 'Harbour Terminals B.V.'],
        ['Seat', 'Rotterdam'],
        ['Address', 'Waalhaven Noordzijde 42'],
        ['Incorporated', '3 May 1994'],
        ['Directors', 'I. Carvalho, P. de Wit'],
        ['Employees', String(EMPLOYEES)],
      ),
      'This extract was issued at the request of the company and is valid without a signature.',
    ),
  ],
  folders: [
    {
      name: 'Shareholders',
      files: [
        workbook('Cap table', {
          'Cap table': [
            ['Shareholder', 'Shares', 'Percent'],
            ...SHAREHOLDERS.map(({ name, shares, percent }) => [name, shares, percent]),
            ['Total', 180_000, 100],
          ],
          Options: [
            ['Plan', 'Granted', 'Vested', 'Strike, euros'],
            ['Employees 2022', 6000, 4500, 210],
          ],
        }),
        draft(
          'Shareholders agreement',
          'Between Carvalho Holding, Delta Pension Fund and the foundation that holds the shares of employees.',
          '# Drag along',
          'Shareholders with 60 percent or more may ask the others to sell on the same terms.',
          '# Tag along',
          'Who does not sell may ask to sell along, in proportion.',
          '# Reserved matters',
          'Investments above two million euros need the consent of Delta Pension Fund.',
        ),
        paper(
          'Structure chart',
          { subtitle: 'Companies and holdings on 31 December 2025' },
          table(
            ['Company', 'Seat', 'Held by', 'Percent'],
            ['Harbour Terminals B.V.', 'Rotterdam', 'Carvalho Holding', 60],
            ['Harbour Depot N.V.', 'Antwerp', 'Harbour Terminals B.V.', 100],
            ['Hafenlager Ruhr GmbH', 'Duisburg', 'Harbour Terminals B.V.', 100],
          ),
        ),
      ],
    },
    {
      name: 'Board minutes',
      files: [
        minutes(
          'January 2026',
          'I. Carvalho (chair), P. de Wit, M. Nowak',
          [
            'Sale process',
            'The board resolved to open a data room to selected parties. Ms Nowak will keep the room and answer questions within two working days.',
          ],
          ['Budget', 'The budget for 2026 was approved, with an investment of 4.2 million euros in shore power.'],
          [
            'Preliminary figures',
            `Revenue for 2025 is ${revenue(2025)} million euros, ${growth(2025)} percent above the year before.`,
          ],
        ),
        minutes(
          'October 2025',
          'I. Carvalho (chair), P. de Wit',
          [
            'Dredging',
            'The contractor asks for additional payment. The board sees no ground for it and asked counsel to reply.',
          ],
          ['Safety', 'No accident with lost time in the third quarter.'],
        ),
        minutes(
          'June 2025',
          'I. Carvalho (chair), P. de Wit, M. Nowak',
          ['Quay wall', 'The report of the divers was discussed. Two joints will be repaired in 2026.'],
          ['Accounts 2024', 'The general meeting will be asked to approve the accounts without a dividend.'],
        ),
      ],
    },
  ],
}

export const INTELLECTUAL_PROPERTY: DemoFolder = {
  name: 'Intellectual property',
  files: [
    paper(
      'Trade marks',
      { subtitle: 'Registrations on 31 December 2025' },
      table(
        ['Mark', 'Territory', 'Classes', 'Until'],
        ['HARBOUR TERMINALS', 'European Union', '35, 36, 39', '14 August 2031'],
        ['Three cranes (device)', 'Benelux', '39', '2 March 2029'],
      ),
      points('No oppositions are pending', 'No licences were granted to others'),
    ),
  ],
}
