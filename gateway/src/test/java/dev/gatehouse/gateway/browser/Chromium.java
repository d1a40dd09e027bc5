package dev.gatehouse.gateway.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ClientCertificate;
import dev.gatehouse.common.crypto.Sha256;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The system's Chromium, driven by Playwright; each test takes a context of its own, which is a fresh profile. */
public final class Chromium implements AutoCloseable {

  private static final Path EXECUTABLE = Path.of("/usr/bin/chromium");

  /** Keys of devices are kept in software here, because test machines have no security chip. */
  private static final String FEATURES =
      "DeviceBoundSessions:RequireOriginTrialTokens/false/RefreshQuota/false,EnableBoundSessionCredentialsSoftwareKeysForManualTesting";

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  public static boolean isInstalled() {
    return Files.isExecutable(EXECUTABLE);
  }

  public static Chromium start() {
    return start(List.of());
  }

  /** One that trusts the keys of these certificates: it binds sessions only over connections without a mistake. */
  public static Chromium trusting(X509Certificate... certificates) {
    String keys =
        Stream.of(certificates)
            .map(certificate -> Base64.getEncoder().encodeToString(Sha256.of(certificate.getPublicKey().getEncoded())))
            .collect(Collectors.joining(","));
    return start(List.of("--ignore-certificate-errors-spki-list=" + keys));
  }

  /** One that sends a cookie without SameSite along with another site's POST for ten seconds after it was set, in place of two minutes. */
  public static Chromium withShortLaxPost() {
    return start(List.of(), FEATURES + ",ShortLaxAllowUnsafeThreshold");
  }

  private static Chromium start(List<String> more) {
    return start(more, FEATURES);
  }

  private static Chromium start(List<String> more, String features) {
    Playwright playwright =
        Playwright.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(EXECUTABLE)
                    .setArgs(
                        with(
                            more,
                            "--enable-features=" + features,
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    return new Chromium(playwright, browser);
  }

  private static List<String> with(List<String> more, String... usual) {
    return Stream.concat(Stream.of(usual), more.stream()).toList();
  }

  public BrowserContext profile() {
    return browser.newContext(english());
  }

  /** A browser that accepts no mistake of a certificate. */
  public BrowserContext strictProfile() {
    return browser.newContext(english().setIgnoreHTTPSErrors(false));
  }

  public BrowserContext germanProfile() {
    return browser.newContext(english().setLocale("de-DE"));
  }

  /** A browser whose pages run no script. */
  public BrowserContext profileWithoutScript() {
    return browser.newContext(english().setJavaScriptEnabled(false));
  }

  /**
   * A browser that shows that origin a certificate. Playwright's proxy does so, which resolves names as this machine
   * does.
   *
   * @param certificate PEM
   * @param key PEM
   */
  public BrowserContext profileWithCertificate(String origin, String certificate, String key) {
    return browser.newContext(
        english()
            .setClientCertificates(
                List.of(
                    new ClientCertificate(origin)
                        .setCert(certificate.getBytes(StandardCharsets.US_ASCII))
                        .setKey(key.getBytes(StandardCharsets.US_ASCII)))));
  }

  private static Browser.NewContextOptions english() {
    return new Browser.NewContextOptions().setIgnoreHTTPSErrors(true).setLocale("en-GB");
  }

  boolean isAlive() {
    return browser.isConnected();
  }

  /** Closes what tests left open. */
  void closeProfiles() {
    if (isAlive()) {
      List.copyOf(browser.contexts()).forEach(BrowserContext::close);
    }
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
