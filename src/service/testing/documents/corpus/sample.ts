import { searchWords } from '../../../store/search/search-words.ts'

/** A made file, and what must come of it. */
export interface Sample {
  name: string
  content: Buffer<ArrayBuffer>
  /** Every word that its pages show, as search compares words. */
  words: readonly string[]
  pages?: number
  /** A part of the sentence with which it must be refused. */
  refusal?: string
}

export const sample = (name: string, content: Buffer | string, text = '', pages?: number): Sample => ({
  name,
  content: Buffer.from(content as Buffer<ArrayBuffer>),
  words: [...new Set(searchWords(text))],
  ...(pages !== undefined && { pages }),
})

/** A title, a sentence and an item of a list, in each language. */
export const LANGUAGES: Record<string, readonly [title: string, sentence: string, item: string]> = {
  English: ['Lease of the northern warehouse', 'The tenant pays the rent in advance', 'Keys and access cards'],
  German: ['Mietvertrag über Größe und Straße', 'Der Kaufpreis ist am Übergangstag fällig', 'Schlüsselübergabe'],
  French: ['Bail commercial et dépôt de garantie', 'Le loyer est payé à terme échu', 'État des lieux'],
  Polish: ['Umowa najmu lokalu użytkowego', 'Czynsz płatny jest z góry', 'Załącznik: książka części'],
  Czech: ['Nájemní smlouva a příloha', 'Nájemné se platí předem', 'Předávací protokol'],
  Turkish: ['Kira sözleşmesi ve ekleri', 'Kiracı bedeli peşin öder', 'Güvenlik önlemleri'],
  Vietnamese: ['Hợp đồng thuê nhà xưởng', 'Bên thuê trả tiền trước', 'Biên bản bàn giao'],
  Greek: ['Σύμβαση μίσθωσης ακινήτου', 'Το μίσθωμα προκαταβάλλεται', 'Παράδοση κλειδιών'],
  Russian: ['Договор аренды помещения', 'Арендатор платит вперёд', 'Передача ключей'],
  Chinese: ['契約書第十七号', '買主支付全部價款', '附件二'],
  Japanese: ['賃貸借契約のご案内', '賃料は前払いとする', '鍵の引渡し'],
  Korean: ['임대차 계약서', '임차인은 차임을 선불로 지급한다', '열쇠 인도'],
  Arabic: ['عقد الإيجار لا يتجاوز الأولى', 'يدفع المستأجر مقدما', 'تسليم المفاتيح'],
  Hebrew: ['חוזה שכירות בין החברה', 'השוכר משלם מראש', 'מסירת מפתחות'],
  Thai: ['สัญญาเช่า', 'ผู้เช่าชำระล่วงหน้า', 'มอบกุญแจ'],
  Hindi: ['किराया समझौता', 'किरायेदार अग्रिम भुगतान करता है', 'चाबियाँ'],
}
