package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.admin.web.AdminRights;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/** Renders the console's pages with what all have: navigation by the administrator's rights, and the field against forged forms. */
final class ConsolePages {

  /** Statuses whose error page has texts of its own. */
  private static final Set<Integer> EXPLAINED = Set.of(400, 403, 404, 409, 412, 422, 503);

  private final Pages pages;

  ConsolePages(Pages pages) {
    this.pages = pages;
  }

  /** @param here the entry of the navigation */
  ResponseEntity<byte[]> show(ConsoleRequest request, String here, String template, Map<String, Object> model) {
    return show(request, 200, here, template, model);
  }

  ResponseEntity<byte[]> show(ConsoleRequest request, int status, String here, String template, Map<String, Object> model) {
    return entity(pages.render(request.http(), Optional.empty(), page(request, status, here, template, model)));
  }

  /** Returns a page in the appearance of a realm. */
  ResponseEntity<byte[]> show(ConsoleRequest request, Realm realm, String here, String template, Map<String, Object> model) {
    return entity(pages.render(request.http(), Optional.of(realm), page(request, 200, here, template, model)));
  }

  private static Page page(ConsoleRequest request, int status, String here, String template, Map<String, Object> model) {
    return new Page(status, template, framed(request, here, model), Page.Policy.scripted(ConsoleAssets.HTMX));
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
