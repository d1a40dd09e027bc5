package dev.gatehouse.gateway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import java.util.List;
import java.util.Optional;

/** Somebody at a browser, and what they see and do in it. */
public final class Person implements AutoCloseable {

  // A slow machine may take long over anything; what never comes fails all the same.
  private static final int PATIENCE_MS = 45_000;

  private final BrowserContext profile;
  private final Page page;

  public Person(BrowserContext profile) {
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    profile.setDefaultTimeout(PATIENCE_MS);
    this.profile = profile;
    this.page = profile.newPage();
  }

  public Page page() {
    return page;
  }

  /** The same browser, another tab. */
  public Page newTab() {
    return profile.newPage();
  }

  /** Types an address; returns what came at the end of all redirects. */
  public Response open(String url) {
    Response response = page.navigate(url);
    if (response == null) {
      throw new AssertionError("no answer from " + url);
    }
    return response;
  }

  public void signIn(String name, String password) {
    signIn(page, name, password);
  }

  public static void signIn(Page tab, String name, String password) {
    tab.getByLabel("User name").fill(name);
    tab.getByLabel("Password").fill(password);
    press(tab, "Sign in");
  }

  public void press(String button) {
    press(page, button);
  }

  public static void press(Page tab, String button) {
    tab.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(button).setExact(true)).click();
  }

  public void follow(String link) {
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(link).setExact(true)).click();
  }

  /** Waits until this is the main heading. */
  public void sees(String heading) {
    assertThat(heading()).hasText(heading);
  }

  public void isAt(String url) {
    assertThat(page).hasURL(url);
  }

  public void isBelow(String url) {
    page.waitForURL(at -> at.startsWith(url));
  }

  public Locator heading() {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1));
  }

  public Locator text(String text) {
    return page.getByText(text);
  }

  /** The cookie that this browser would send there. */
  public Optional<Cookie> cookie(String url, String name) {
    return profile.cookies(url).stream().filter(cookie -> cookie.name.equals(name)).findFirst();
  }

  /** Gives the browser a cookie that another one has. */
  public void steal(Cookie cookie) {
    profile.addCookies(List.of(cookie));
  }

  /** The browser loses its cookies of that name, as it does when their time is over. */
  public void lose(String cookie) {
    profile.clearCookies(new BrowserContext.ClearCookiesOptions().setName(cookie));
  }

  @Override
  public void close() {
    profile.close();
  }
}
