// Figures of Harbour Terminals B.V. in several documents, in millions of euros unless stated. Totals are computed.

export const YEARS = [2023, 2024, 2025] as const
type Year = (typeof YEARS)[number]

interface Accounts {
  segments: Record<string, number>
  costs: Record<string, number>
  depreciation: number
  interest: number
  tax: number
  assets: Record<string, number>
  loans: number
  payables: number
  provisions: number
}

const SEGMENTS = ['Container handling', 'Storage', 'Rail and truck', 'Other services']
const COSTS = ['Personnel', 'Energy', 'Maintenance', 'Leases and port dues', 'Other']
const ASSETS = ['Quays and buildings', 'Cranes', 'Other equipment', 'Receivables', 'Cash']

const named = (names: string[], values: number[]) =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? 0]))

export const ACCOUNTS: Record<Year, Accounts> = {
  2023: {
    segments: named(SEGMENTS, [28.7, 13.8, 6.4, 3.5]),
    costs: named(COSTS, [20.6, 5.3, 5.3, 4, 5.1]),
    depreciation: 4.9,
    interest: 2.4,
    tax: 1.2,
    assets: named(ASSETS, [50.9, 13.2, 5.7, 6.5, 7.3]),
    loans: 48.6,
    payables: 5.6,
    provisions: 2.8,
  },
  2024: {
    segments: named(SEGMENTS, [31.2, 14.6, 6.9, 3.8]),
    costs: named(COSTS, [22.1, 5.4, 5.8, 4.2, 5.6]),
    depreciation: 5.3,
    interest: 2.3,
    tax: 1.5,
    assets: named(ASSETS, [49.6, 14.8, 6, 7, 9.1]),
    loans: 46.5,
    payables: 6.2,
    provisions: 2.9,
  },
  2025: {
    segments: named(SEGMENTS, [34.1, 15.6, 7.4, 4.2]),
    costs: named(COSTS, [23.9, 5.6, 6.2, 4.4, 6.4]),
    depreciation: 5.1,
    interest: 2.2,
    tax: 1.9,
    assets: named(ASSETS, [48.2, 16, 6.3, 7.4, 11.4]),
    loans: 44,
    payables: 5.9,
    provisions: 2.9,
  },
}

export const round = (value: number): number => Math.round(value * 10) / 10
const sum = (values: Record<string, number>) => round(Object.values(values).reduce((all, each) => all + each, 0))

export const revenue = (year: Year) => sum(ACCOUNTS[year].segments)
export const ebitda = (year: Year) => round(revenue(year) - sum(ACCOUNTS[year].costs))
export const operatingProfit = (year: Year) => round(ebitda(year) - ACCOUNTS[year].depreciation)
export const netProfit = (year: Year) => round(operatingProfit(year) - ACCOUNTS[year].interest - ACCOUNTS[year].tax)
export const totalAssets = (year: Year) => sum(ACCOUNTS[year].assets)
export const equity = (year: Year) => {
  const { loans, payables, provisions } = ACCOUNTS[year]
  return round(totalAssets(year) - loans - payables - provisions)
}
export const netDebt = (year: Year) => round(ACCOUNTS[year].loans - (ACCOUNTS[year].assets['Cash'] ?? 0))
/** Growth of revenue over the previous year, in percent. */
export const growth = (year: 2024 | 2025) => round((revenue(year) / revenue(year === 2025 ? 2024 : 2023) - 1) * 100)

/** Containers handled, in thousands of TEU. */
export const VOLUMES: Record<Year, number> = { 2023: 412, 2024: 436, 2025: 468 }

export const HEADCOUNT = [
  { department: 'Operations', employees: 214, partTime: 31 },
  { department: 'Maintenance', employees: 47, partTime: 4 },
  { department: 'Office', employees: 38, partTime: 12 },
]
export const EMPLOYEES = HEADCOUNT.reduce((all, { employees }) => all + employees, 0)

export const FORECAST = [
  { year: 2026, revenue: 64.1, ebitda: 15.3, investment: 6.2 },
  { year: 2027, revenue: 67.8, ebitda: 16.4, investment: 5.1 },
  { year: 2028, revenue: 70.2, ebitda: 17.3, investment: 4.3 },
  { year: 2029, revenue: 72.6, ebitda: 18.1, investment: 4.1 },
  { year: 2030, revenue: 75, ebitda: 18.9, investment: 4 },
]

export const SHAREHOLDERS = [
  { name: 'Carvalho Holding', shares: 108_000, percent: 60 },
  { name: 'Delta Pension Fund', shares: 54_000, percent: 30 },
  { name: 'Employees', shares: 18_000, percent: 10 },
]

export const LEASES = [
  { site: 'Rotterdam terminal', hectares: 14.6, ends: '31 December 2048', rent: 1.9 },
  { site: 'Antwerp depot', hectares: 2.1, ends: '30 June 2031', rent: 0.4 },
  { site: 'Duisburg warehouse', hectares: 0.9, ends: '31 December 2029', rent: 0.3 },
]

/** Euros. */
export const CLAIM = '310,000'
/** Millions of euros. */
export const OFFERED = 142

const DAY = 86_400_000
/** The date `days` from today, as written in letters. */
export const dayIn = (days: number) =>
  new Date(Date.now() + days * DAY).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
