// Asks what the page will ask first while its scripts are still on their way; src/dashboard/api/early.ts has the answers.
;(function () {
  // This script is asynchronous: from a cache, the page's own code may be faster and has asked then.
  if (window.askedEarly) return
  var asked = (window.askedEarly = {})
  function ask(url) {
    asked[url] = fetch(url, { headers: { accept: 'application/json' } })
    // Who takes it over learns of it.
    asked[url].catch(function () {})
  }
  ask('/auth/session')
  var place = /^\/workspaces\/(\d+)(?:\/files\/(\d+)$)?/.exec(location.pathname)
  if (!place) return
  ask('/api/v1/workspaces/' + place[1])
  if (place[2]) ask('/api/v1/folders/' + place[2] + '?workspace_id=' + place[1])
})()
