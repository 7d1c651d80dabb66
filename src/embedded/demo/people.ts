export interface DemoPerson {
  email: string
  first_name: string
  last_name: string
  time_zone: string
  /** What to tell whoever chooses as whom to look around. */
  role: string
}

/** The organization admin of the demo; the first organization begins with her. */
export const INES: DemoPerson = {
  email: 'ines.carvalho@harbour.example',
  first_name: 'Ines',
  last_name: 'Carvalho',
  time_zone: 'Europe/Lisbon',
  role: 'organization admin, owner of the deal team',
}

export const MARTA: DemoPerson = {
  email: 'marta.nowak@harbour.example',
  first_name: 'Marta',
  last_name: 'Nowak',
  time_zone: 'Europe/Warsaw',
  role: 'workspace admin',
}

export const TOM: DemoPerson = {
  email: 'tom.becker@northgate.example',
  first_name: 'Tom',
  last_name: 'Becker',
  time_zone: 'Europe/Berlin',
  role: 'buyer',
}

export const AYESHA: DemoPerson = {
  email: 'ayesha.rahman@meridianbank.example',
  first_name: 'Ayesha',
  last_name: 'Rahman',
  time_zone: 'Europe/London',
  role: 'lender',
}

export const JONAS: DemoPerson = {
  email: 'jonas.lindqvist@lindqvist-law.example',
  first_name: 'Jonas',
  last_name: 'Lindqvist',
  time_zone: 'Europe/Stockholm',
  role: 'counsel',
}

export const DEMO_PEOPLE: DemoPerson[] = [INES, MARTA, TOM, AYESHA, JONAS]
