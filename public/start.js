// Runs before the first paint and before the scripts of the page.

// Sets the colour scheme, so that a user who chose dark sees no white flash. The keys are those of theme.ts.
;(function () {
  var mode = 'system'
  try {
    mode = localStorage.getItem('strongroom-mode') || 'system'
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  var dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-scheme', dark ? 'dark' : 'light')
  document.documentElement.style.backgroundColor = dark ? '#0d1314' : '#f4f6f7'
})()

// Prints in light colours.
;(function () {
  var page = document.documentElement
  var scheme
  addEventListener('beforeprint', function () {
    scheme = scheme || page.getAttribute('data-scheme')
    page.setAttribute('data-scheme', 'light')
  })
  addEventListener('afterprint', function () {
    if (scheme) page.setAttribute('data-scheme', scheme)
    scheme = undefined
  })
})()

// Sends the first requests of the page while its scripts are loading; src/dashboard/api/early.ts takes the replies.
;(function () {
  var asked = (window.askedEarly = {})
  function ask(url) {
    asked[url] = fetch(url, { headers: { accept: 'application/json' } })
    // The code that takes the reply handles a failure.
    asked[url].catch(function () {})
  }
  ask('/auth/session')
  // Terms are read before the workspace, which may be refused.
  var place = /^\/workspaces\/(\d+)(?=\/(?!terms)|$)(?:\/files\/(\d+)$)?/.exec(location.pathname)
  if (!place) return
  ask('/api/v1/workspaces/' + place[1])
  if (place[2]) ask('/api/v1/folders/' + place[2] + '?workspace_id=' + place[1])
})()

// Loads the modules of the page together with those of every page.
;(function () {
  // The build fills this: src/tools/bundle/first-modules.ts.
  var modules = {}
  var page = location.pathname.replace(/\d+/g, '0').replace(/(\/files)\/0$/, '$1')
  ;(modules[page] || []).forEach(function (file) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  })
})()

// Refuses dropped files wherever no dropzone takes them: the browser would show the file in place of the dashboard. Keeps
// those of a folder whose page is still loading; src/dashboard/shared/uploads/drop/upload-dropzone.tsx takes them.
;(function () {
  var items = []
  // The browser forgets an item after the event, but not what it gave.
  function keep(item) {
    var entry = item.webkitGetAsEntry()
    var file = item.getAsFile()
    items.push({ kind: item.kind, webkitGetAsEntry: () => entry, getAsFile: () => file })
  }
  function refuse(event) {
    var dropped = event.dataTransfer
    if (event.defaultPrevented || !dropped || !Array.prototype.includes.call(dropped.types, 'Files')) return
    event.preventDefault()
    if (!/\/files(\/\d+)?$/.test(location.pathname) || document.querySelector('main')) dropped.dropEffect = 'none'
    else if (event.type === 'drop') {
      Array.from(dropped.items).forEach(keep)
      window.droppedEarly = { path: location.pathname, items: items }
    }
  }
  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
})()
