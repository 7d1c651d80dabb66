const UNUSED = '-- the previous release does not use it'
const DROP = /\bdrop (table|column|type|view|function)\b/

/** Forms that block running nodes for long, or that the code of the previous release cannot work with. */
const UNSAFE: [form: RegExp, instead: string][] = [
  [DROP, `The previous release may use it: drop it one release later, with "${UNUSED}".`],
  [/\brename\b/, 'The previous release uses the former name: add a second one.'],
  [/\balter (column )?\w+ (set data )?type\b/, 'Changing a type rewrites the table: add a column.'],
  [
    /\bset not null\b/,
    'It scans the locked table: add a check constraint as not valid, and validate it in another file.',
  ],
  [
    /\badd (?!constraint\b|check\b)(column )?(if not exists )?\w+ [^,;]*\bnot null\b(?![^,;]*\bdefault\b)/,
    'The previous release writes no value: add a default.',
  ],
  [
    /\badd (column )?[^,;]*\bdefault (gen_random_uuid|clock_timestamp|random|nextval)\b/,
    'A volatile default rewrites the table.',
  ],
  [
    /\badd (constraint \w+ )?(check|foreign key)\b(?![^;]*\bnot valid\b)/,
    'It scans the locked table: add it as not valid.',
  ],
  [
    /\badd (constraint \w+ )?(unique|primary key)\b(?! using index)/,
    'Build the index concurrently, and add it with using index.',
  ],
  [/\b(vacuum full|cluster|reindex (?!.*concurrently)|lock table|truncate)\b/, 'It locks a whole table.'],
  [/\bset (session |local )?(search_path|role|session)\b/, 'A migration leaves no state in its session.'],
]
/** A table that another migration of the same release makes: it is empty when a database in use gets there. */
const NEW = /^-- the previous release has no (\w+)$/gm
const OUTSIDE = /^-- form: (concurrent|batches)\n/

/** What is unsafe about a migration of a database in use, in one sentence each. Tables that it makes are free. */
export function unsafeForms(text: string): string[] {
  const form = OUTSIDE.exec(text)?.[1]
  const made = [...text.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?(\w+)/gi), ...text.matchAll(NEW)].map(
    ([, table]) => table,
  )
  const statements = withoutBodies(withoutComments(text))
    .split(';')
    .map((each) => each.trim())
  const onOthers = statements.filter((each) => each && !made.some((table) => isAbout(each, table ?? '')))
  const found = onOthers.flatMap((each) =>
    UNSAFE.filter(([unsafe]) => unsafe.test(each) && !(unsafe === DROP && text.includes(UNUSED))).map(
      ([, instead]) => `${headOf(each)}: ${instead}`,
    ),
  )
  return [...found, ...onOthers.flatMap((each) => formOf(each, form)), ...shapeOf(text, statements, form)]
}

/** Indexes and changes of rows belong into files of a form of their own. */
function formOf(statement: string, form: string | undefined): string[] {
  if (
    /^create (unique )?index\b/.test(statement) &&
    !(form === 'concurrent' && / concurrently if not exists /.test(statement))
  )
    return [`${headOf(statement)}: Build it concurrently, if not exists, in a file with "-- form: concurrent".`]
  if (/^(with\b.*\b)?(update|delete|insert into)\b/s.test(statement) && form !== 'batches')
    return [`${headOf(statement)}: Change rows of existing tables in a file with "-- form: batches".`]
  return []
}

function shapeOf(text: string, statements: string[], form: string | undefined): string[] {
  const given = statements.filter(Boolean)
  if (form === 'batches' && (given.length !== 1 || !/\blimit \d+/.test(text)))
    return ['A batch is one statement with a limit.']
  if (
    form === 'concurrent' &&
    (text.includes('$$') || given.some((each) => !/\b(concurrently|validate constraint)\b/.test(each)))
  )
    return ['Outside a transaction, only indexes are built concurrently and constraints validated.']
  return []
}

const withoutComments = (text: string) => text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase()

/** The statements of a function run later, with its callers. */
const withoutBodies = (text: string) => text.replace(/(\bfunction\b[^;$]*)\$\$.*?\$\$/g, '$1')

const isAbout = (statement: string, table: string) =>
  new RegExp(
    `^(create table (if not exists )?|alter table |create (unique )?index \\S+ on |insert into )${table}\\b`,
  ).test(statement)

const headOf = (statement: string) => `"${statement.slice(0, 60)}"`
