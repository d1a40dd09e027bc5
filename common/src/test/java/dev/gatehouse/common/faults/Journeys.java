package dev.gatehouse.common.faults;

import static java.util.Objects.requireNonNull;

import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import dev.gatehouse.common.faults.Visitor.Page;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.jose.StrictJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What people and programs do at a site; everything that is acknowledged goes to the ledger. */
final class Journeys {

  private static final String CALLBACK = "http://127.0.0.1:9/callback";
  private static final String WEB = basic("web", SiteFiles.SECRET);
  private static final String VERIFIER = "a-verifier-that-is-the-same-for-everybody-in-this-test";
  private static final Map<String, String> ALICE = Map.of("username", "alice", "password", "demo");
  private static final Pattern CODE = Pattern.compile("[?&]code=([^&]+)");
  private static final Predicate<Page> AT_CALLBACK = page -> page.location().startsWith(CALLBACK);

  private final Site site;
  private final HttpClient client;
  private final Requests requests;
  private final Ledger ledger;
  private final AtomicInteger consents = new AtomicInteger();
  private final Optional<PasswordChanges> passwords;
  private final Logouts logouts;

  Journeys(Site site, HttpClient client, Requests requests, Ledger ledger) {
    this.site = site;
    this.client = client;
    this.requests = requests;
    this.ledger = ledger;
    this.passwords = site.directories().map(all -> new PasswordChanges(site.app(), all, ledger, this::program));
    this.logouts = new Logouts(site, requests, ledger, new Logouts.People(this::loggedIn, this::isApp, signOn()));
  }

  /** Returns the kinds of journeys with their names. */
  Map<String, Load.Step> all() {
    Map<String, Load.Step> all = new LinkedHashMap<>();
    all.put("sessions", this::session);
    all.put("logouts", logouts::everywhere);
    all.put("tokens", this::tokens);
    all.put("codes", this::code);
    all.put("assertions", this::assertion);
    all.put("registrations and consents", this::registrationAndConsent);
    return all;
  }

  /** Returns the changes of passwords, if the directory can take some. A gap of them is the directory's. */
  Optional<PasswordChanges> passwords() {
    return passwords;
  }

  /** Opens a session that nobody ends. */
  Visitor session() throws IOException {
    Visitor visitor = loggedIn();
    ledger.add(
        new Fact(Kind.SESSION, true) {
          @Override
          Verdict ask() throws IOException {
            return isServed(visitor) ? Verdict.KEPT : Verdict.LOST;
          }
        });
    return visitor;
  }

  private Visitor loggedIn() throws IOException {
    Visitor visitor = new Visitor(client, requests);
    visitor.browse(site.app(), ALICE, this::isApp);
    return visitor;
  }

  private boolean isApp(Page page) {
    return page.url().toString().startsWith(site.app()) && page.status() == 200 && page.body().contains("alice");
  }

  /** Returns whether the app is served to these cookies at once. */
  boolean isServed(Visitor visitor) throws IOException {
    return isApp(visitor.copy().get(site.app()));
  }

  /** The sessions that are ended. */
  Logouts logouts() {
    return logouts;
  }

  /** Rotates a refresh token and revokes the access token of another grant. */
  private void tokens() throws IOException {
    Map<String, Object> first = exchange(code("web", "openid offline_access"));
    String old = string(first, "refresh_token");
    String newest = string(refresh(old), "refresh_token");
    ledger.add(
        new Fact(Kind.REFRESH_ROTATED, false) {
          private boolean isRotatedAgain;

          @Override
          Verdict ask() throws IOException {
            if (!isRotatedAgain && !granted(newest)) {
              return Verdict.LOST;
            }
            isRotatedAgain = true;
            return granted(old) ? Verdict.WRONGLY_ACCEPTED : Verdict.KEPT;
          }
        });
    String access = string(exchange(code("web", "openid")), "access_token");
    expect(200, program().post(site.realm() + "/oauth/revoke", WEB, Map.of("token", access)));
    ledger.add(
        new Fact(Kind.REVOCATION, true) {
          @Override
          Verdict ask() throws IOException {
            Page told = program().post(site.realm() + "/oauth/introspect", WEB, Map.of("token", access));
            return told.body().contains("\"active\":true") ? Verdict.WRONGLY_ACCEPTED : Verdict.KEPT;
          }
        });
  }

  private boolean granted(String refreshToken) throws IOException {
    return program().post(token(), WEB, Map.of("grant_type", "refresh_token", "refresh_token", refreshToken)).status() == 200;
  }

  private Map<String, Object> refresh(String refreshToken) throws IOException {
    return json(expect(200, program().post(token(), WEB, Map.of("grant_type", "refresh_token", "refresh_token", refreshToken))));
  }

  /** Uses a code, which is tried again later. */
  private void code() throws IOException {
    String code = code("web", "openid");
    exchange(code);
    ledger.add(
        new Fact(Kind.CODE_USED, true) {
          @Override
          Verdict ask() throws IOException {
            return program().post(token(), WEB, exchanging(code)).status() == 200 ? Verdict.WRONGLY_ACCEPTED : Verdict.KEPT;
          }
        });
  }

  /** Authenticates a program by a signed assertion, which is sent again later. */
  private void assertion() throws IOException {
    long now = Instant.now().getEpochSecond();
    String assertion =
        site.key()
            .sign(
                JwsName.EDDSA,
                Map.of("iss", "keyed", "sub", "keyed", "aud", site.realm(), "exp", now + 240, "jti", UUID.randomUUID().toString()));
    Map<String, String> form =
        Map.of(
            "grant_type", "client_credentials", "client_assertion", assertion, "client_assertion_type",
            "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    expect(200, program().post(token(), "", form));
    ledger.add(
        new Fact(Kind.REPLAY_MARK, true) {
          @Override
          Verdict ask() throws IOException {
            return program().post(token(), "", form).status() == 200 ? Verdict.WRONGLY_ACCEPTED : Verdict.KEPT;
          }
        });
  }

  /** Registers a client, and consents to another. */
  private void registrationAndConsent() throws IOException {
    Page answer = program().postJson(site.realm() + "/connect/register", "{\"grant_types\":[\"client_credentials\"]}");
    Map<String, Object> registered = json(expect(201, answer));
    String basic = basic(string(registered, "client_id"), string(registered, "client_secret"));
    ledger.add(
        new Fact(Kind.REGISTRATION, true) {
          @Override
          Verdict ask() throws IOException {
            return program().post(token(), basic, Map.of("grant_type", "client_credentials")).status() == 200
                ? Verdict.KEPT
                : Verdict.LOST;
          }
        });
    int index = consents.getAndIncrement();
    if (index >= SiteFiles.ASKING) {
      return;
    }
    Visitor visitor = new Visitor(client, requests);
    String url = authorize("asks" + index, "openid");
    visitor.browse(url, ALICE, AT_CALLBACK);
    ledger.add(
        new Fact(Kind.CONSENT, true) {
          @Override
          Verdict ask() throws IOException {
            Page page =
                new Visitor(client, requests).browse(url, ALICE, shown -> AT_CALLBACK.test(shown) || isQuestion(shown));
            return isQuestion(page) ? Verdict.LOST : Verdict.KEPT;
          }
        });
  }

  /** Returns the path where somebody with a session gets a code at once, and anybody else none. */
  private String signOn() {
    return URI.create(site.realm()).getPath() + authorize("web", "openid").substring(site.realm().length()) + "&prompt=none";
  }

  private static boolean isQuestion(Page page) {
    return page.body().contains("value=\"allow\"");
  }

  private String code(String clientId, String scope) throws IOException {
    Page page = new Visitor(client, requests).browse(authorize(clientId, scope), ALICE, AT_CALLBACK);
    Matcher code = CODE.matcher(page.location());
    if (!code.find()) {
      throw new IllegalStateException("No code: " + page.location());
    }
    return code.group(1);
  }

  private String authorize(String clientId, String scope) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("response_type", "code");
    fields.put("client_id", clientId);
    fields.put("redirect_uri", CALLBACK);
    fields.put("scope", scope);
    fields.put("state", "1");
    fields.put("code_challenge", challenge());
    fields.put("code_challenge_method", "S256");
    return site.realm() + "/oauth/authorize?" + Visitor.encoded(fields);
  }

  private Map<String, Object> exchange(String code) throws IOException {
    return json(expect(200, program().post(token(), WEB, exchanging(code))));
  }

  private static Map<String, String> exchanging(String code) {
    return Map.of("grant_type", "authorization_code", "code", code, "redirect_uri", CALLBACK, "code_verifier", VERIFIER);
  }

  private String token() {
    return site.realm() + "/oauth/token";
  }

  private Visitor program() {
    return new Visitor(client, requests);
  }

  private static Page expect(int status, Page page) {
    if (page.status() != status) {
      throw new IllegalStateException("Not " + status + ": " + page);
    }
    return page;
  }

  private static Map<String, Object> json(Page page) {
    return StrictJson.object(page.body().getBytes(StandardCharsets.UTF_8)).orElseThrow();
  }

  private static String string(Map<String, Object> json, String name) {
    return requireNonNull(json.get(name), name + " in " + json).toString();
  }

  private static String basic(String id, String secret) {
    return "Basic " + Base64.getEncoder().encodeToString((id + ":" + secret).getBytes(StandardCharsets.UTF_8));
  }

  private static String challenge() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(VERIFIER.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
