import { draft, type DemoFolder, list, paper, picture, scan, workbook } from '../files.ts'
import { bars, heading, newPage, points, table } from '../pdf/report.ts'
import { jointOfQuayWall, quayAtDusk, quayByDay, sitePlan, warehouse } from '../pictures.ts'
import { quayWallSection } from './drawings.ts'
import { LEASES } from './figures.ts'

export const PROPERTY: DemoFolder = {
  name: 'Property',
  folders: [
    {
      name: 'Leases',
      files: [
        workbook('Lease schedule', {
          Leases: [
            ['Site', 'Hectares', 'Ends', 'Rent 2025, million euros'],
            ...LEASES.map(({ site, hectares, ends, rent }) => [site, hectares, ends, rent]),
          ],
        }),
        draft(
          'Lease – Rotterdam terminal',
          '# The site',
          'The Port Authority lets to Harbour Terminals B.V. the site of 14.6 hectares at Waalhaven, with 620 metres of quay.',
          '# The term',
          'The term ends on 31 December 2048. The lessee may extend it once by ten years with notice of three years.',
          '# Change of control',
          'The lessor is informed of a change of control and may object within 30 days for reasons of public safety only.',
        ),
        paper(
          'Lease – Antwerp depot',
          { subtitle: 'Between Scheldeland N.V. and Harbour Depot N.V.' },
          'The depot of 2.1 hectares is let until 30 June 2031. Either party may end the lease with notice of twelve months.',
          table(['Year', 'Rent, thousand euros'], ['2025', 400], ['2026', 409], ['2027', 418]),
        ),
        paper(
          'Mietvertrag Lagerhalle Duisburg',
          { subtitle: 'Zwischen der Rheinkai Immobilien GmbH und der Hafenlager Ruhr GmbH', foot: 'Vertraulich' },
          heading('§ 1 Mietgegenstand'),
          'Vermietet wird die Lagerhalle 7 am Südhafen, Größe 8.950 m², einschließlich der Laderampen und der Büroräume im Erdgeschoss.',
          heading('§ 2 Mietzeit'),
          'Das Mietverhältnis endet am 31. Dezember 2029. Die Mieterin kann es einmal um fünf Jahre verlängern.',
          heading('§ 3 Miete'),
          'Die Jahresmiete beträgt 300.000 € zuzüglich Umsatzsteuer. Sie ändert sich mit dem Verbraucherpreisindex.',
          heading('§ 4 Instandhaltung'),
          'Schönheitsreparaturen trägt die Mieterin, Dach und Fach der Vermieter.',
        ),
      ],
    },
    {
      name: 'Permits',
      files: [
        scan(
          'Environmental permit',
          { subtitle: 'Province of South Holland, 12 September 2019' },
          'The permit to operate a terminal for containers, with storage of dangerous goods of classes 3 and 8 up to 400 tonnes, is granted to Harbour Terminals B.V. until further notice.',
          heading('Conditions'),
          points(
            'Noise at the nearest house: 45 decibels by night',
            'Sprinklers in sheds 1 to 3, inspected each year',
            'A yearly report by 1 April',
          ),
          'For the Provincial Executive, signed.',
        ),
        paper(
          'Building permit shed 3',
          { subtitle: 'City of Rotterdam, 4 April 2017' },
          'Permission is granted to build a shed of 12,400 square metres, 14 metres high, as drawn on the site plan.',
        ),
        paper(
          'Fire safety certificate 2025',
          { subtitle: 'Inspected on 17 and 18 September 2025' },
          table(
            ['Building', 'Sprinklers', 'Alarms', 'Result'],
            ['Shed 1', 'tested', 'tested', 'passed'],
            ['Shed 2', 'tested', 'tested', 'passed'],
            ['Shed 3', 'tested', 'one replaced', 'passed'],
          ),
        ),
        list(
          'Permit register',
          ['Permit', 'Authority', 'Granted', 'Until'],
          ['Environment', 'Province of South Holland', '2019-09-12', 'unlimited'],
          ['Building, shed 3', 'City of Rotterdam', '2017-04-04', 'unlimited'],
          ['Dredging', 'Port Authority', '2024-02-01', '2029-01-31'],
          ['Shore power, grid', 'Waal Energy', '2025-11-20', '2045-11-19'],
        ),
      ],
    },
    {
      name: 'Surveys',
      files: [
        paper(
          'Site survey 2025',
          { subtitle: 'Delta Engineers, 30 June 2025', foot: 'Delta Engineers' },
          heading('Summary'),
          'The quay wall was inspected by divers in May 2025. Its condition is good; two joints need repair within three years, at an estimated 0.4 million euros.',
          table(
            ['Section', 'Metres', 'Condition', 'Measure'],
            ['A', 155, 'good', 'none'],
            ['B', 155, 'good', 'none'],
            ['C', 155, 'fair', 'repair joint C4'],
            ['D', 155, 'fair', 'repair joint D1'],
          ),
          newPage,
          heading('Depth at the quay'),
          bars('Metres below datum', ['A', 14.4], ['B', 14.3], ['C', 14.2], ['D', 14.2]),
          heading('Soil'),
          'Samples at eleven points show no contamination above the intervention values; see the list of samples.',
        ),
        quayWallSection('Quay wall – section'),
        picture('Site plan.png', sitePlan),
        list(
          'Soil samples',
          ['Point', 'Depth, metres', 'Lead, mg/kg', 'Zinc, mg/kg', 'Oil, mg/kg'],
          ...Array.from({ length: 11 }, (_, at) => [
            `P${at + 1}`,
            1.5,
            28 + ((at * 13) % 30),
            70 + ((at * 17) % 50),
            12 + ((at * 7) % 40),
          ]),
        ),
      ],
    },
    {
      name: 'Photographs',
      files: [
        picture('Quay by day.jpg', quayByDay),
        picture('Quay at dusk.jpg', quayAtDusk),
        picture('Shed 2, inside.jpg', warehouse),
        picture('Joint C4 of the quay wall.jpg', jointOfQuayWall),
      ],
    },
  ],
}

export const INSURANCE: DemoFolder = {
  name: 'Insurance',
  files: [
    workbook('Insurance schedule', {
      Schedule: [
        ['Cover', 'Insurer', 'Sum, million euros', 'Premium, thousand', 'Renewal'],
        ['Property', 'Maas Mutual', 120, 412, '2027-01-01'],
        ['Terminal liability', 'Noordzee', 50, 188, '2027-01-01'],
        ['Directors and officers', 'Noordzee', 15, 36, '2027-10-01'],
      ],
    }),
    paper(
      'Property policy 2026',
      { subtitle: 'Maas Mutual, policy 7-204-118' },
      table(
        ['Insured', 'Million euros'],
        ['Buildings', 64],
        ['Cranes and equipment', 41],
        ['Loss of profit, 18 months', 15],
        ['Total', 120],
      ),
      points(
        'Flood: up to 10 million a year',
        'Deductible: 100,000 euros for each loss',
        'Cranes: wind up to 42 metres a second while secured',
      ),
    ),
    list(
      'Loss history',
      ['Year', 'Losses', 'Paid, thousand euros', 'Largest'],
      [2021, 3, 64, 'Gate hit by a truck'],
      [2022, 1, 12, 'Water in shed 1'],
      [2023, 2, 148, 'Spreader of crane 2'],
      [2024, 0, 0, ''],
      [2025, 1, 21, 'Window of the office'],
    ),
  ],
}
