"""A session-login app as frameworks make them: CSRF token in a hidden field, session cookie that changes at the login."""
import http.server, secrets, sys, urllib.parse
from http.cookies import SimpleCookie

PEOPLE = {'carol': 'pässword & more'}
SESSIONS = {}

class App(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def answer(self, status, text, *headers):
        body = text.encode('utf-8')
        self.send_response(status)
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def session(self):
        cookie = SimpleCookie(self.headers.get('Cookie', ''))
        return SESSIONS.get(cookie['sessionid'].value) if 'sessionid' in cookie else None

    def form(self, error=''):
        sid, token = secrets.token_hex(16), secrets.token_urlsafe(24)
        SESSIONS[sid] = {'csrf': token}
        self.answer(200, f'''<!doctype html><html><body>{error}<form method="post" class="login">
            <input type="hidden" name="csrfmiddlewaretoken" value="{token}">
            <label>Name <input name="username"></label><label>Password <input name="password" type="password"></label>
            <input type="checkbox" name="remember" checked><input type="submit" value="Log in"></form></body></html>''',
            ('Set-Cookie', f'sessionid={sid}; Path=/; HttpOnly'))

    def do_GET(self):
        session = self.session()
        if session and 'user' in session:
            self.answer(200, f'<h1>Tickets of {session["user"]}</h1>')
        elif self.path.startswith('/tickets/login'):
            self.form()
        else:
            self.answer(302, '', ('Location', '/tickets/login?next=/tickets/'))

    def do_POST(self):
        fields = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers['Content-Length'])).decode()))
        session = self.session()
        right = (session is not None and secrets.compare_digest(session.get('csrf', ''), fields.get('csrfmiddlewaretoken', '-'))
                 and fields.get('remember') == 'on' and PEOPLE.get(fields.get('username', '')) == fields.get('password'))
        if not right:
            self.form('<p class="errorlist">Please enter a correct username and password.</p>')
            return
        sid = secrets.token_hex(16)
        SESSIONS[sid] = {'user': fields['username']}
        self.answer(302, '', ('Location', '/tickets/'), ('Set-Cookie', f'sessionid={sid}; Path=/; HttpOnly'))

    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), App)
print(server.server_port, flush=True)
server.serve_forever()
