package dev.gatehouse.gateway.console.administrator;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.administrator.AdministratorEndpoint;
import dev.gatehouse.gateway.admin.administrator.AdministratorEndpoint.AdministratorPage;
import dev.gatehouse.gateway.admin.administrator.AdministratorEndpoint.AdministratorView;
import dev.gatehouse.gateway.admin.administrator.AdministratorEndpoint.GrantRequest;
import dev.gatehouse.gateway.admin.administrator.AdministratorEndpoint.GrantView;
import dev.gatehouse.gateway.admin.administrator.AdministratorEndpoint.Planned;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/administrators}: people with roles; grants and revocations, each with what it does to whom. */
@Controller
@RequestMapping("/console/administrators")
final class AdministratorPages {

  private static final String HERE = "administrators";
  private static final String PATH = Address.CONSOLE + HERE;
  private static final String GRANT = PATH + "/grant";
  private static final String REVOKE = PATH + "/revoke";
  private static final Set<String> DONE = Set.of("granted", "revoked");
  private static final int ON_A_PAGE = 100;
  private static final long LONGEST_DAYS = 3650;

  private record RoleLine(GrantView grant, boolean ended, Optional<String> revokeHref) {}

  /** A person; a single role for one realm is taken by its own link. */
  private record Line(AdministratorView administrator, List<RoleLine> roles, Optional<String> revokeAllHref) {}

  /** What the form for a grant has. */
  private record Form(String person, String role, String realm, String days) {}

  private final Realms realms;
  private final AdministratorEndpoint endpoint;
  private final AdministratorPeople people;
  private final InstantSource time;
  private final ConsolePages pages;

  AdministratorPages(
      Realms realms, AdministratorEndpoint endpoint, AdministratorPeople people, InstantSource time, ConsolePages pages) {
    this.realms = realms;
    this.endpoint = endpoint;
    this.people = people;
    this.time = time;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.ADMIN, checksRealms = true)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @RequestParam(name = "after", defaultValue = "") String after,
      @RequestParam(name = "done", defaultValue = "") String done) {
    Map<String, Object> model = model(request.rights(), after, new Form("", "", "", ""));
    model.put("done", Optional.of(done).filter(DONE::contains));
    return pages.show(request, HERE, "console-administrators", model);
  }

  private Map<String, Object> model(AdminRights rights, String after, Form form) {
    Map<String, Object> model = new HashMap<>();
    boolean peopleLogIn = people.login().isPresent();
    AdministratorPage page =
        peopleLogIn ? endpoint.page(after, ON_A_PAGE, rights) : new AdministratorPage(List.of(), Optional.empty());
    model.put("peopleLogIn", peopleLogIn);
    model.put("lines", page.administrators().stream().map(this::line).toList());
    model.put("next", page.next().map(last -> Address.with(PATH, "after", last)));
    model.put("everywhere", rights.mayEverywhere(AdministratorRole.ADMIN));
    model.put("realms", realms.all().stream().map(Realm::name).filter(name -> rights.may(AdministratorRole.ADMIN, name)).sorted().toList());
    model.put("roles", Arrays.stream(AdministratorRole.values()).map(AdministratorRole::word).toList());
    model.put("grantHref", GRANT);
    model.put("form", form);
    return model;
  }

  private Line line(AdministratorView administrator) {
    String person = administrator.person();
    List<RoleLine> roles =
        administrator.grants().stream()
            .map(
                grant ->
                    new RoleLine(
                        grant,
                        grant.expiresAt().filter(end -> !time.instant().isBefore(end)).isPresent(),
                        grant.realm().map(realm -> Address.with(REVOKE, "person", person, "realm", realm))))
            .toList();
    boolean isSingle = roles.size() == 1 && roles.getFirst().revokeHref().isPresent();
    return new Line(administrator, roles, isSingle ? Optional.empty() : Optional.of(Address.with(REVOKE, "person", person)));
  }

  /** Says who would get which role, in place of which, before anybody gets it. */
  @GetMapping("/grant")
  @RequiresRole(value = AdministratorRole.ADMIN, checksRealms = true, recentLogin = true)
  ResponseEntity<byte[]> askToGrant(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    Form form =
        new Form(
            request.query("person").orElse(""), request.query("role").orElse(""), request.query("realm").orElse(""),
            request.query("days").orElse(""));
    Optional<String> realm = request.query("realm");
    require(request.rights(), realm);
    try {
      Optional<Instant> until = end(form.days());
      Planned planned =
          endpoint.wouldGrant(form.person(), realm, new GrantRequest(form.role(), until), request.rights().administrator());
      Map<String, String> fields = new TreeMap<>(Map.of("person", planned.person(), "role", form.role()));
      realm.ifPresent(name -> fields.put("realm", name));
      until.ifPresent(at -> fields.put("until", at.toString()));
      String what = planned.before().equals("-") ? "administrator-grant" : "administrator-replace";
      List<String> details = List.of(planned.before().equals("-") ? planned.after() : planned.before() + " → " + planned.after());
      return pages.ask(request, HERE, new Question(what, named(planned), realm, details, GRANT, fields, PATH));
    } catch (BadRequest | NotFound e) {
      Map<String, Object> model = model(request.rights(), "", form);
      model.put("wrong", e.getMessage());
      return pages.show(request, e instanceof NotFound ? 404 : 400, HERE, "console-administrators", model);
    }
  }

  private Optional<Instant> end(String days) {
    if (days.isEmpty()) {
      return Optional.empty();
    }
    if (!days.matches("\\d{1,4}") || Long.parseLong(days) < 1 || Long.parseLong(days) > LONGEST_DAYS) {
      throw new BadRequest("`days` is a number from 1 to " + LONGEST_DAYS + "; leave it out for a role without an end.");
    }
    return Optional.of(time.instant().plus(Duration.ofDays(Long.parseLong(days))));
  }

  @PostMapping("/grant")
  @RequiresRole(value = AdministratorRole.ADMIN, checksRealms = true, recentLogin = true)
  ResponseEntity<byte[]> grant(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    Optional<String> realm = request.field("realm");
    require(request.rights(), realm);
    GrantRequest wanted = new GrantRequest(request.field("role").orElse(""), request.field("until").map(AdministratorPages::instant));
    endpoint.grant(person(request), realm, false, wanted, request.rights().administrator());
    return pages.seeOther(PATH + "?done=granted");
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new BadRequest("`until` is no time; write it as 2026-01-31T12:00:00Z.");
    }
  }

  /** Says whose roles would end, before any ends. */
  @GetMapping("/revoke")
  @RequiresRole(value = AdministratorRole.ADMIN, checksRealms = true, recentLogin = true)
  ResponseEntity<byte[]> askToRevoke(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    Optional<String> realm = request.query("realm");
    require(request.rights(), realm);
    String person = request.query("person").orElseThrow(() -> new BadRequest("`person` is missing."));
    Planned planned = endpoint.wouldRevoke(person, realm);
    if (planned.before().equals("-")) {
      throw new NotFound("This person has no such role any more.");
    }
    boolean self = request.rights().login().filter(login -> login.person().value().equals(planned.person())).isPresent();
    Map<String, String> fields = new TreeMap<>(Map.of("person", planned.person()));
    realm.ifPresent(name -> fields.put("realm", name));
    String what = self ? "administrator-revoke-own" : "administrator-revoke";
    List<String> details = List.of(planned.before().split(", "));
    return pages.ask(request, HERE, new Question(what, named(planned), realm, details, REVOKE, fields, PATH));
  }

  @PostMapping("/revoke")
  @RequiresRole(value = AdministratorRole.ADMIN, checksRealms = true, recentLogin = true)
  ResponseEntity<byte[]> revoke(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    Optional<String> realm = request.field("realm");
    require(request.rights(), realm);
    endpoint.revoke(person(request), realm, false, request.rights().administrator());
    return pages.seeOther(PATH + "?done=revoked");
  }

  /** The realm stands in forms, where the interceptor does not look. */
  private static void require(AdminRights rights, Optional<String> realm) {
    realm.ifPresentOrElse(
        name -> rights.require(AdministratorRole.ADMIN, name), () -> rights.requireEverywhere(AdministratorRole.ADMIN));
  }

  private static String person(ConsoleRequest request) {
    return request.field("person").orElseThrow(() -> new BadRequest("`person` is missing."));
  }

  private static String named(Planned planned) {
    return planned.name().equals(planned.person()) ? planned.name() : planned.name() + " (" + planned.person() + ")";
  }
}
