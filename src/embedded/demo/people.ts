import { DEMO_ROLES } from '../../contract/shown-sentences.ts'

export interface DemoPerson {
  email: string
  first_name: string
  last_name: string
  time_zone: string
  company: string
  title: string
  /** Shown to a visitor who chooses a person to sign in as. */
  role: string
}

/** The organization admin of the demo, and by default the first admin of the first organization. */
export const INES: DemoPerson = {
  email: 'ines.carvalho@harbour.example',
  first_name: 'Ines',
  last_name: 'Carvalho',
  time_zone: 'Europe/Lisbon',
  company: 'Harbour Terminals',
  title: 'Chief Financial Officer',
  role: DEMO_ROLES.seller_of_organization,
}

export const MARTA: DemoPerson = {
  email: 'marta.nowak@harbour.example',
  first_name: 'Marta',
  last_name: 'Nowak',
  time_zone: 'Europe/Warsaw',
  company: 'Harbour Terminals',
  title: 'Head of Corporate Development',
  role: DEMO_ROLES.seller_of_deal_room,
}

export const TOM: DemoPerson = {
  email: 'tom.becker@northgate.example',
  first_name: 'Tom',
  last_name: 'Becker',
  time_zone: 'Europe/Berlin',
  company: 'Northgate Capital',
  title: 'Investment Director',
  role: DEMO_ROLES.buyer,
}

export const AYESHA: DemoPerson = {
  email: 'ayesha.rahman@meridianbank.example',
  first_name: 'Ayesha',
  last_name: 'Rahman',
  time_zone: 'Europe/London',
  company: 'Meridian Bank',
  title: 'Director, Acquisition Finance',
  role: DEMO_ROLES.lender,
}

export const JONAS: DemoPerson = {
  email: 'jonas.lindqvist@lindqvist-law.example',
  first_name: 'Jonas',
  last_name: 'Lindqvist',
  time_zone: 'Europe/Stockholm',
  company: 'Lindqvist Law',
  title: 'Partner',
  role: DEMO_ROLES.counsel,
}

export const DEMO_PEOPLE: DemoPerson[] = [INES, MARTA, TOM, AYESHA, JONAS]

export const PRIYA: DemoPerson = {
  email: 'priya.nair@northgate.example',
  first_name: 'Priya',
  last_name: 'Nair',
  time_zone: 'Europe/London',
  company: 'Northgate Capital',
  title: 'Associate',
  role: 'Buyer',
}

export const PETRA: DemoPerson = {
  email: 'petra.vogel@ruhr-assekuranz.example',
  first_name: 'Petra',
  last_name: 'Vogel',
  time_zone: 'Europe/Berlin',
  company: 'Ruhr Assekuranz',
  title: 'Underwriter',
  role: 'Adviser on insurance',
}

export const LENA: DemoPerson = {
  email: 'lena.fischer@tidewater.example',
  first_name: 'Lena',
  last_name: 'Fischer',
  time_zone: 'Europe/Amsterdam',
  company: 'Tidewater',
  title: 'Finance Director',
  role: 'Runs the room of another round',
}

export const KENJI: DemoPerson = {
  email: 'kenji.watanabe@tideguard.example',
  first_name: 'Kenji',
  last_name: 'Watanabe',
  time_zone: 'Asia/Tokyo',
  company: 'Tideguard',
  title: 'Underwriter',
  role: 'Adviser on insurance',
}

export const OTHER_PEOPLE: DemoPerson[] = [PRIYA, PETRA, LENA, KENJI]

export function personOf(email: string): DemoPerson {
  const person = [...DEMO_PEOPLE, ...OTHER_PEOPLE].find((each) => each.email === email)
  if (!person) throw new Error(`The demo has no ${email}.`)
  return person
}
