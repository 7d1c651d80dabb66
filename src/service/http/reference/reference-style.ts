/** Styles of the reference page; light or dark to match the reader's system. */
export const css = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #151d1f);
  --aside: light-dark(#f4f6f7, #0d1314);
  --text: light-dark(#101a1c, #edf2f3);
  --faint: light-dark(#4b5a5e, #a6b4b7);
  --line: light-dark(#dfe5e7, #273134);
  --link: light-dark(#0b5d66, #5fc4ce);
  --change: light-dark(#8a5300, #f0b35a);
  --danger: light-dark(#b3261e, #ff8a80);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body {
  margin: 0; display: grid; grid-template-columns: 320px minmax(0, 1fr);
  background: var(--ground); color: var(--text); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 20px;
  background: var(--aside); border-right: 1px solid var(--line); font-size: 13px;
}
nav ul { list-style: none; margin: 0 0 12px; padding: 0; }
nav > ul > li > a { font-weight: 600; font-size: 14px; }
nav a { display: block; padding: 3px 0; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
main { padding: 28px 40px 80px; max-width: 980px; }
a { color: var(--link); }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h1 { font-size: 28px; margin: 0 0 8px; }
h2 { font-size: 22px; margin: 56px 0 8px; padding-bottom: 6px; border-bottom: 1px solid var(--line); }
h3 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
article { padding: 24px 0 8px; }
article + article { border-top: 1px solid var(--line); }
article:target h3 { color: var(--link); }
small, caption { color: var(--faint); }
code, pre, b.get, b.post, b.put, b.patch, b.delete { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.92em; }
b.get, b.post, b.put, b.patch, b.delete { text-transform: uppercase; color: var(--link); }
b.put, b.patch, b.post { color: var(--change); }
b.delete { color: var(--danger); }
pre { padding: 12px 14px; overflow-x: auto; background: var(--aside); border: 1px solid var(--line); border-radius: 6px; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; margin: 12px 0; font-size: 14px; }
caption { text-align: left; padding: 4px 0; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: 5px 12px 5px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 500; }
th:first-child { width: 38%; }
thead th { color: var(--faint); font-size: 12px; border-top: 0; }
@media (max-width: 800px) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul ul { display: none; }
  main { padding: 20px; }
}
`
