package dev.gatehouse.gateway.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The system's Chromium, driven by Playwright; each test takes a context of its own, which is a fresh profile. */
public final class Chromium implements AutoCloseable {

  private static final Path EXECUTABLE = Path.of("/usr/bin/chromium");

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
    Playwright playwright =
        Playwright.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(EXECUTABLE)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    return new Chromium(playwright, browser);
  }

  public BrowserContext profile() {
    return browser.newContext(new Browser.NewContextOptions().setIgnoreHTTPSErrors(true).setLocale("en-GB"));
  }

  public BrowserContext germanProfile() {
    return browser.newContext(new Browser.NewContextOptions().setIgnoreHTTPSErrors(true).setLocale("de-DE"));
  }

  /** A browser whose pages run no script. */
  public BrowserContext profileWithoutScript() {
    return browser.newContext(
        new Browser.NewContextOptions().setIgnoreHTTPSErrors(true).setLocale("en-GB").setJavaScriptEnabled(false));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
