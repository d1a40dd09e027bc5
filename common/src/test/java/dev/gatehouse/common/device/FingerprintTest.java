package dev.gatehouse.common.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a browser may change during a session, and what only another device changes. */
final class FingerprintTest {

  private static final String CHROMIUM =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36";
  private static final String WINDOWS =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
  private static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
  private static final String PHONE =
      "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
  private static final String CURL = "curl/8.14.1";

  private static Fingerprint chromium(int version, String languages, String... more) {
    List<Headers.Field> fields = new ArrayList<>();
    fields.add(new Headers.Field("sec-ch-ua", "\"Chromium\";v=\"" + version + "\""));
    fields.add(new Headers.Field("sec-ch-ua-mobile", "?0"));
    fields.add(new Headers.Field("sec-ch-ua-platform", "\"Linux\""));
    fields.add(new Headers.Field("User-Agent", CHROMIUM.formatted(version)));
    fields.add(new Headers.Field("Accept-Language", languages));
    for (String name : more) {
      fields.add(new Headers.Field(name, "1"));
    }
    return Fingerprint.of(Headers.of(fields), 0);
  }

  private static Fingerprint of(String agent) {
    return Fingerprint.of(Headers.of("User-Agent", agent).and("Accept-Language", "en-GB,en;q=0.9"), 0);
  }

  private static final Fingerprint LOGIN = chromium(156, "en-GB,en;q=0.9");

  @Test
  void theSameBrowserIsTheSame() {
    assertThat(LOGIN.difference(chromium(156, "en-GB,en;q=0.9"), true)).isZero();
    assertThat(LOGIN.difference(chromium(156, "en-US,en;q=0.9"), true)).isZero();
  }

  @Test
  void anUpdateAnotherLanguageAndAnotherNetworkAreNoOtherDevice() {
    assertThat(LOGIN.difference(chromium(157, "en-GB,en;q=0.9"), true)).isLessThan(Fingerprint.DIFFERENT);
    assertThat(LOGIN.difference(chromium(157, "de-DE,de;q=0.9"), true)).isLessThan(Fingerprint.DIFFERENT);
    assertThat(LOGIN.difference(chromium(157, "de-DE,de;q=0.9", "DNT"), true)).isLessThan(Fingerprint.DIFFERENT);
  }

  @Test
  void anotherSystemBrowserOrHardwareIs() {
    assertThat(LOGIN.difference(of(WINDOWS), true)).isGreaterThanOrEqualTo(Fingerprint.DIFFERENT);
    assertThat(LOGIN.difference(of(FIREFOX), true)).isGreaterThanOrEqualTo(Fingerprint.DIFFERENT);
    assertThat(LOGIN.difference(of(PHONE), true)).isGreaterThanOrEqualTo(Fingerprint.DIFFERENT);
    assertThat(LOGIN.difference(of(CURL), true)).isGreaterThanOrEqualTo(Fingerprint.DIFFERENT);
    assertThat(LOGIN.difference(Fingerprint.of(Headers.empty(), 0), false)).isGreaterThanOrEqualTo(Fingerprint.DIFFERENT);
  }

  @Test
  void anOlderBrowserWithAnotherLanguageIs() {
    assertThat(LOGIN.difference(chromium(150, "en-GB"), true)).isLessThan(Fingerprint.DIFFERENT);
    assertThat(LOGIN.difference(chromium(150, "ru-RU"), true)).isGreaterThanOrEqualTo(Fingerprint.DIFFERENT);
  }

  @Test
  void anotherTlsLibraryCountsUnlessTheBrowserWasUpdated() {
    Fingerprint login = tls(156, "en-GB", 4711);
    assertThat(login.difference(tls(156, "en-GB", 4711), true)).isZero();
    assertThat(login.difference(tls(156, "en-GB", 0), true)).as("behind a balancer").isZero();
    assertThat(LOGIN.difference(tls(156, "en-GB", 4711), true)).as("a login of the version before").isZero();
    assertThat(login.difference(tls(157, "de-DE", 815, "DNT"), true)).as("an update").isLessThan(Fingerprint.DIFFERENT);
    assertThat(login.difference(tls(156, "en-GB", 815), true)).as("a network that reads TLS").isLessThan(Fingerprint.DIFFERENT);
    assertThat(login.difference(tls(156, "ru-RU", 815), true)).as("and another language").isLessThan(Fingerprint.DIFFERENT);
    assertThat(login.difference(tls(156, "en-GB", 815, "DNT"), true)).as("which rewrites fields").isLessThan(Fingerprint.DIFFERENT);
    assertThat(login.difference(tls(150, "en-GB", 815), true)).as("and an older browser").isGreaterThanOrEqualTo(Fingerprint.DIFFERENT);
  }

  private static Fingerprint tls(int version, String languages, int clientHello, String... more) {
    Fingerprint fields = chromium(version, languages, more);
    return new Fingerprint(
        fields.family(), fields.major(), fields.system(), fields.platform(), fields.mobile(), fields.language(), fields.fields(),
        fields.order(), clientHello);
  }

  /** A WebSocket and an image have fewer fields than a page, in another order. */
  @Test
  void fieldsAndOrderCountForPagesOnly() {
    Fingerprint socket = of(CHROMIUM.formatted(156));
    assertThat(LOGIN.difference(socket, false)).isZero();
    assertThat(LOGIN.difference(socket, true)).isPositive();
  }
}
