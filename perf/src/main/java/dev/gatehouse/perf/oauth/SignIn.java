package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.ApiClient;
import dev.gatehouse.perf.load.Browser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An authorization request of a person (RFC 6749, sections 4.1 and 4.2), through the login form if the person is not
 * logged in; a code is redeemed with its verifier (RFC 7636).
 */
final class SignIn implements Caller {

  private static final int MOST_STEPS = 10;

  /**
   * The link on the page with which Gatehouse leaves a form, because browsers do not let a form end at an address that
   * its policy does not name.
   */
  private static final Pattern BACK = Pattern.compile("href=\"(" + Pattern.quote(BenchClient.CALLBACK) + "[^\"]+)\"");

  private final AuthorizationServer server;
  private final BenchClient client;
  private final String responseType;
  private final boolean staysLoggedIn;
  private final List<Integer> people;
  private final Browser browser;
  private final ApiClient api;
  private int made;

  /**
   * @param staysLoggedIn whether one person logs in once; otherwise each time the next person does, in a browser
   *     without cookies
   */
  SignIn(AuthorizationServer server, BenchClient client, String responseType, boolean staysLoggedIn, int number)
      throws IOException {
    this.server = server;
    this.client = client;
    this.responseType = responseType;
    this.staysLoggedIn = staysLoggedIn;
    this.people = Visitors.of(number);
    this.browser = new Browser(server.url());
    this.api = new ApiClient(server.url());
  }

  /** The parameters of the authorization request. */
  static String parameters(BenchClient client, String responseType, String verifier) {
    return "client_id=" + client.id() + "&redirect_uri=" + Text.encoded(BenchClient.CALLBACK)
        + "&response_type=" + Text.encoded(responseType) + "&scope=openid+profile+email&state=af0ifjsldkj"
        + "&nonce=n-0S6_WzA2Mj"
        + (responseType.contains("code") ? "&code_challenge_method=S256&code_challenge=" + challenge(verifier) : "");
  }

  private static String challenge(String verifier) {
    try {
      return Text.base64url(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void reconnect() throws IOException {
    browser.reconnect();
    api.reconnect();
  }

  @Override
  public void once() throws IOException {
    if (!staysLoggedIn) {
      browser.forget();
    }
    String verifier = Text.base64url("a verifier of the bench, number " + made);
    String back = back(parameters(client, responseType, verifier));
    for (String type : responseType.split(" ")) {
      String value = parameter(back, type.equals("token") ? "access_token" : type);
      if (type.equals("code")) {
        redeem(value, verifier);
      }
    }
    made++;
  }

  /** Returns the address of the client to which the person is redirected. */
  private String back(String parameters) throws IOException {
    Answer answer = browser.get(server.endpoints().authorize() + "?" + parameters);
    for (int step = 0; step < MOST_STEPS; step++) {
      Matcher link = BACK.matcher(answer.body());
      if (answer.location().startsWith(BenchClient.CALLBACK)) {
        return answer.location();
      }
      if (link.find()) {
        return link.group(1).replace("&amp;", "&");
      }
      if (!answer.location().isEmpty()) {
        answer = browser.get(here(answer.location()));
      } else if (answer.status() == 200 && !(staysLoggedIn && made > 0)) {
        int person = people.get(staysLoggedIn ? 0 : made % people.size());
        LoginForm form = LoginForm.filledIn(answer.body(), People.name(person), People.password(person));
        answer = browser.post(here(form.target()), form.body(), server.url().toString());
      } else {
        break;
      }
    }
    String last = answer.status() + " " + answer.location() + "\n" + answer.body();
    throw new IOException("no way back to the client: " + last);
  }

  private String here(String address) {
    String origin = server.url().toString();
    return address.startsWith(origin) ? address.substring(origin.length()) : address;
  }

  private static String parameter(String address, String name) throws IOException {
    for (String pair : address.substring(BenchClient.CALLBACK.length() + 1).split("&")) {
      if (pair.startsWith(name + "=")) {
        return pair.substring(name.length() + 1);
      }
    }
    throw new IOException("no " + name + " in " + address);
  }

  /** @param code as it occurs in the address */
  private void redeem(String code, String verifier) throws IOException {
    String form =
        "grant_type=authorization_code&code=" + code + "&redirect_uri=" + Text.encoded(BenchClient.CALLBACK)
            + "&code_verifier=" + verifier;
    Answer answer = api.send(api.post(server.endpoints().token(), form, client.basic()));
    Tokens tokens = Tokens.read(answer);
    Text.member(answer.body(), "id_token");
    if (made == 0) {
      Text.checkFormat(client, tokens.access());
    }
  }

  @Override
  public void close() throws IOException {
    browser.close();
    api.close();
  }
}
