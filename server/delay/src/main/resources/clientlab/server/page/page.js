(function () {
  'use strict';
  var form = document.getElementById('try');
  var seen = document.getElementById('seen');
  var routes = JSON.parse(document.getElementById('routes').textContent);
  var fields = Array.prototype.slice.call(form.querySelectorAll('[data-key]'));
  var pathField = form.querySelector('#route');
  var valueField = form.querySelector('#value');
  var shown = form.querySelector('#url');
  var curl = document.getElementById('curl');
  var stop = form.querySelector('#stop');
  var open = new Set();
  var longest = 0;

  function route() { return routes[pathField.selectedIndex]; }

  function text(field) { return field.type === 'checkbox' ? (field.checked ? '1' : '') : field.value.trim(); }

  function target() {
    var r = route();
    var query = fields
      .filter(function (f) { return r.parameters.indexOf(f.dataset.key) >= 0 && text(f) !== ''; })
      .map(function (f) { return f.dataset.key + '=' + encodeURIComponent(text(f)).replace(/%2C/g, ',').replace(/%2F/g, '/'); });
    return r.prefix + (r.value ? encodeURIComponent(valueField.value.trim()) : '') + (query.length ? '?' + query.join('&') : '');
  }

  function show() {
    var r = route();
    valueField.parentElement.hidden = !r.value;
    fields.forEach(function (f) {
      var taken = r.parameters.indexOf(f.dataset.key) >= 0;
      f.disabled = !taken;
      f.closest('label').classList.toggle('off', !taken);
    });
    shown.textContent = r.method + ' ' + target();
    curl.textContent = 'curl -i ' + (r.method === 'GET' ? '' : '-X ' + r.method + ' -d hello ') + "'" + location.origin + target() + "'";
  }

  function fill(address) {
    var url = new URL(address, location.href);
    var found = 0;
    routes.forEach(function (r, i) { if (r.value ? url.pathname.indexOf(r.prefix) === 0 : url.pathname === r.prefix) found = i; });
    pathField.selectedIndex = found;
    valueField.value = route().value ? decodeURIComponent(url.pathname.slice(route().prefix.length)) : '';
    fields.forEach(function (f) {
      var given = url.searchParams.get(f.dataset.key) || '';
      if (f.type === 'checkbox') f.checked = given === '1'; else f.value = given;
    });
    show();
  }

  function element(name, className, content) {
    var e = document.createElement(name);
    e.className = className;
    if (content !== undefined) e.textContent = content;
    return e;
  }

  function ms(n) { return n < 10000 ? Math.round(n) + ' ms' : (n / 1000).toFixed(1) + ' s'; }

  /* All bars are drawn to one scale, the longest that is to be seen. */
  function scale() {
    longest = 1;
    seen.querySelectorAll('li').forEach(function (li) { longest = Math.max(longest, Number(li.dataset.end)); });
    seen.querySelectorAll('li').forEach(function (li) {
      li.querySelector('.waited').style.width = 100 * Number(li.dataset.head) / longest + '%';
      li.querySelector('.body').style.width = 100 * (Number(li.dataset.end) - Number(li.dataset.head)) / longest + '%';
    });
  }

  async function send() {
    var r = route();
    var line = r.method + ' ' + target();
    var li = element('li', '');
    var row = element('div', 'row');
    var took = element('span', 'took', 'waiting …');
    var bar = element('div', 'bar');
    var said = element('p', 'said code', '');
    row.append(element('span', 'what code', line), took);
    bar.append(element('i', 'waited'), element('i', 'body'));
    li.append(row, bar, said);
    li.dataset.head = 0;
    li.dataset.end = 0;
    seen.prepend(li);
    while (seen.children.length > 8) seen.lastChild.remove();

    var control = new AbortController();
    open.add(control);
    stop.hidden = false;
    var begun = performance.now();
    var status = '';
    var bytes = 0;
    var isText = true;
    var decoder = new TextDecoder();
    function at(end) {
      li.dataset[end] = performance.now() - begun;
      if (end === 'head') li.dataset.end = li.dataset.head;
      scale();
    }
    var clock = setInterval(function () {
      li.dataset.end = performance.now() - begun;
      if (!status) li.dataset.head = li.dataset.end;
      took.textContent = (status ? status + ' · ' : 'waiting · ') + ms(Number(li.dataset.end));
      scale();
    }, 100);
    try {
      var answer = await fetch(target(), { method: r.method, body: r.method === 'GET' ? undefined : 'hello', cache: 'no-store', redirect: 'manual', signal: control.signal });
      at('head');
      status = answer.type === 'opaqueredirect' ? 'redirect' : String(answer.status);
      isText = /^(text|application\/json)/.test(answer.headers.get('content-type') || 'text');
      var reader = answer.body && answer.body.getReader();
      while (reader) {
        var part = await reader.read();
        if (part.done) break;
        bytes += part.value.length;
        if (isText && said.textContent.length < 400) said.textContent += decoder.decode(part.value, { stream: true });
      }
      at('end');
      took.textContent = status + ' · head ' + ms(Number(li.dataset.head)) + ' · end ' + ms(Number(li.dataset.end)) + ' · ' + bytes + ' bytes';
    } catch (e) {
      at(status ? 'end' : 'head');
      bar.append(element('i', 'bad'));
      var why = control.signal.aborted ? 'stopped here' : status ? 'broke off' : 'no answer: closed, reset or refused';
      took.textContent = (status ? status + ' · ' : '') + why + ' after ' + ms(Number(li.dataset.end)) + (bytes ? ' · ' + bytes + ' bytes' : '');
    } finally {
      clearInterval(clock);
      open.delete(control);
      stop.hidden = open.size === 0;
      scale();
    }
  }

  form.hidden = false;
  document.getElementById('curl-line').hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    document.getElementById('legend').hidden = false;
    send();
  });
  stop.addEventListener('click', function () { open.forEach(function (control) { control.abort(); }); });
  document.addEventListener('click', function (event) {
    var link = event.target.closest('a[data-try]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    fill(link.href);
    document.getElementById('legend').hidden = false;
    send();
    form.scrollIntoView({ block: 'nearest' });
  });
  fill('/delay?delay=1.5&a=1');
})();
