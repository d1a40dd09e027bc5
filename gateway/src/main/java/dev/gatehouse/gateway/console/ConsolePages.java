package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.LoginTooOld;
import dev.gatehouse.gateway.admin.web.SavedForm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/** Renders the console's pages with what all have: navigation by the administrator's rights, and the field against forged forms. */
public final class ConsolePages {

  /** Statuses whose error page has texts of its own. */
  private static final Set<Integer> EXPLAINED = Set.of(400, 403, 404, 409, 412, 422, 503);

  private final Pages pages;
  private final boolean peopleLogIn;

  /** @param peopleLogIn whether the login page offers the login of people */
  ConsolePages(Pages pages, boolean peopleLogIn) {
    this.pages = pages;
    this.peopleLogIn = peopleLogIn;
  }

  /** @param here the entry of the navigation */
  public ResponseEntity<byte[]> show(ConsoleRequest request, String here, String template, Map<String, Object> model) {
    return show(request, 200, here, template, model);
  }

  /** As above, with scripts of its own. */
  ResponseEntity<byte[]> showWithScripts(
      ConsoleRequest request, String here, String template, Map<String, Object> model, String... scripts) {
    Page page = new Page(200, template, framed(request, here, model), Page.Policy.scripted(scripts));
    return entity(pages.render(request.http(), Optional.empty(), page));
  }

  public ResponseEntity<byte[]> show(
      ConsoleRequest request, int status, String here, String template, Map<String, Object> model) {
    return entity(pages.render(request.http(), Optional.empty(), page(request, status, here, template, model)));
  }

  /** Returns a page in the appearance of a realm. */
  ResponseEntity<byte[]> show(ConsoleRequest request, Realm realm, String here, String template, Map<String, Object> model) {
    return entity(pages.render(request.http(), Optional.of(realm), page(request, 200, here, template, model)));
  }

  private static Page page(ConsoleRequest request, int status, String here, String template, Map<String, Object> model) {
    return new Page(status, template, framed(request, here, model), Page.Policy.scripted(ConsoleAssets.HTMX));
  }

  /** Returns a page that the browser loads again after that time; never if it is 0. */
  ResponseEntity<byte[]> refreshing(
      ConsoleRequest request, String here, String template, Map<String, Object> model, int seconds) {
    Page.Policy policy = new Page.Policy(List.of(), List.of(), false, seconds);
    return entity(pages.render(request.http(), Optional.empty(), new Page(200, template, framed(request, here, model), policy)));
  }

  /** Returns the page of an error; {@code detail} is a sentence of ours. */
  ResponseEntity<byte[]> error(ConsoleRequest request, int status, String detail, String reference) {
    return show(
        request, status, "", "console-error",
        Map.of("kind", EXPLAINED.contains(status) ? status : 500, "detail", detail, "reference", reference));
  }

  /** Returns a page for somebody who is not logged in. */
  EdgeReply open(EdgeRequest request, int status, String template, Map<String, Object> model) {
    return pages.render(request, Optional.empty(), Page.of(status, template, model));
  }

  /** @param wrong what is wrong, as in the texts */
  EdgeReply login(EdgeRequest request, int status, String wrong) {
    return login(request, status, wrong, 0);
  }

  /**
   * Returns the login page.
   *
   * @param wrong what is wrong, as in the texts; empty for the first page
   */
  EdgeReply login(EdgeRequest request, int status, String wrong, long seconds) {
    return open(request, status, "console-login", Map.of("wrong", wrong, "seconds", seconds, "people", peopleLogIn));
  }

  /**
   * Returns the page after a login. It leads on by itself, because browsers send the session's cookie (SameSite=Strict) only when a page
   * of ours leads on; a form that was saved is sent by a button.
   */
  EdgeReply goOn(EdgeRequest request, String page, Optional<SavedForm> saved, SessionToken token) {
    if (saved.isEmpty()) {
      return leave(request, page);
    }
    String csrf = CsrfToken.of(token, ConsoleRequest.FORM);
    Map<String, Object> model = Map.of("form", saved.get(), "csrf", csrf, "page", page);
    return open(request, 200, "console-resume", model);
  }

  /**
   * Returns a page that leads on by itself, with a link. A redirect would not do after a form, which may be sent to this origin only (CSP
   * {@code form-action}).
   */
  EdgeReply leave(EdgeRequest request, String location) {
    return open(request, 200, "redirect", Map.of("location", location)).with("Refresh", "0;url=" + location);
  }

  /** Returns the page that asks a person to log in again, before anything is done. */
  ResponseEntity<byte[]> logInAgain(ConsoleRequest request, String page, boolean saved) {
    String href = Address.with(Address.PERSON_LOGIN, "again", "true", "page", page);
    ResponseEntity<byte[]> shown =
        show(
            request, 401, "", "console-again",
            Map.of("href", href, "saved", saved, "minutes", LoginTooOld.MAX_AGE.toMinutes()));
    HttpHeaders headers = new HttpHeaders();
    headers.addAll(shown.getHeaders());
    headers.set(HttpHeaders.WWW_AUTHENTICATE, LoginTooOld.CHALLENGE);
    return ResponseEntity.status(shown.getStatusCode()).headers(headers).body(shown.getBody());
  }

  ResponseEntity<byte[]> seeOther(String address) {
    return entity(EdgeReply.seeOther(address));
  }

  private static Map<String, Object> framed(ConsoleRequest request, String here, Map<String, Object> model) {
    AdminRights rights = request.rights();
    Map<String, Object> all = new HashMap<>(model);
    all.put("here", here);
    all.put("administrator", rights.administrator());
    all.put("csrf", request.csrf());
    all.put("mayRevisions", rights.mayEverywhere(AdministratorRole.VIEWER));
    all.put("mayPeople", rights.maySomewhere(AdministratorRole.HELPDESK));
    return all;
  }

  private static ResponseEntity<byte[]> entity(EdgeReply reply) {
    HttpHeaders headers = new HttpHeaders();
    reply.headers().fields().forEach(field -> headers.add(field.name(), field.value()));
    return ResponseEntity.status(reply.status()).headers(headers).body(reply.body());
  }
}
