package dev.gatehouse.gateway.console.token;

import dev.gatehouse.common.admin.PeopleDesk;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.compute.Busy;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.token.TokenEndpoint;
import dev.gatehouse.gateway.admin.token.TokenEndpoint.TokenPage;
import dev.gatehouse.gateway.admin.token.TokenEndpoint.TwoCodes;
import dev.gatehouse.gateway.admin.token.TokenFieldsEndpoint;
import dev.gatehouse.gateway.admin.token.TokenFieldsEndpoint.FieldsView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/tokens}: tokens by serial number or person, and one token with what can be done with it. */
@Controller
@RequestMapping("/console/realms/{realm}/tokens")
final class TokenPages {

  static final String HERE = "people";
  private static final String PATH = "tokens";
  private static final int ON_A_PAGE = 100;
  private static final Set<String> STATES = Set.of("enabled", "disabled", "lost", "expired");
  private static final Set<String> STEPS =
      Set.of("assign", "unassign", "enable", "disable", "lost", "found", "replace", "resynchronise", "fields");

  private record Line(TokenView token, String href, Optional<String> personHref) {}

  private final TokenEndpoint tokens;
  private final TokenFieldsEndpoint fields;
  private final Optional<PeopleDesk> people;
  private final ConsolePages pages;

  TokenPages(TokenEndpoint tokens, TokenFieldsEndpoint fields, Optional<PeopleDesk> people, ConsolePages pages) {
    this.tokens = tokens;
    this.fields = fields;
    this.people = people;
    this.pages = pages;
  }

  private static String address(String realm, String serial) {
    return Address.ofRealm(realm, PATH + "/one", "serial", serial);
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "q", defaultValue = "") String search,
      @RequestParam(name = "state", defaultValue = "") String state,
      @RequestParam(name = "after", defaultValue = "") String after) {
    Optional<String> wanted = Optional.of(state).filter(STATES::contains);
    Optional<TokenView> one = search.isBlank() ? Optional.empty() : token(realm, search.strip());
    Optional<String> person = request.query("q").filter(name -> one.isEmpty());
    TokenPage page =
        one.map(token -> new TokenPage(List.of(token), Optional.empty()))
            .orElseGet(() -> tokens.page(realm, person, wanted, Optional.empty(), Optional.empty(), Optional.empty(), after, ON_A_PAGE));
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("reportsHref", Address.ofRealm(realm, PATH + "/reports"));
    model.put("trustsHref", Address.ofRealm(realm, TrustPages.PATH));
    model.put("registerHref", people.filter(desk -> desk.isOn(realm)).map(desk -> Address.ofRealm(realm, PATH + "/register")));
    model.put("search", search);
    model.put("state", wanted);
    model.put("report", report(realm));
    model.put("lines", page.tokens().stream().map(token -> line(realm, token)).toList());
    model.put("holderHref", person.map(name -> TokenHolderPages.address(realm, name)));
    model.put("next", page.next().map(last -> Address.ofRealm(realm, PATH, "q", search, "state", wanted.orElse(""), "after", last)));
    return pages.show(request, HERE, "console-tokens", model);
  }

  /** Whoever looks for a token gets it, also while numbers take long. */
  private Optional<TokenDesk.TokenReport> report(String realm) {
    try {
      return Optional.of(tokens.report(realm));
    } catch (Busy e) {
      return Optional.empty();
    }
  }

  /** A search is for a serial number first. */
  private Optional<TokenView> token(String realm, String serial) {
    try {
      return Optional.ofNullable(tokens.get(realm, serial).getBody());
    } catch (NotFound e) {
      return Optional.empty();
    }
  }

  private static Line line(String realm, TokenView token) {
    return new Line(token, address(realm, token.serial()), token.person().map(person -> TokenHolderPages.address(realm, person)));
  }

  @GetMapping("/one")
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> one(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("serial") String serial,
      @RequestParam(name = "done", defaultValue = "") String done) {
    ResponseEntity<TokenView> found = tokens.get(realm, serial);
    Map<String, Object> model = new HashMap<>();
    TokenView token = Objects.requireNonNull(found.getBody());
    model.put("line", line(realm, token));
    model.put("tag", Objects.requireNonNull(found.getHeaders().getETag()));
    model.put("challenges", tokens.shownChallenges(realm, token));
    ResponseEntity<FieldsView> written = fields.get(realm, serial);
    model.put("fields", Objects.requireNonNull(written.getBody()));
    model.put("fieldsTag", Objects.requireNonNull(written.getHeaders().getETag()));
    model.put("expires", Objects.requireNonNull(written.getBody()).expiresAt().map(end -> end.toString().substring(0, 10)).orElse(""));
    model.put("done", Optional.of(done).filter(STEPS::contains));
    model.put("action", Address.ofRealm(realm, PATH + "/one"));
    model.put("back", Address.ofRealm(realm, PATH));
    return pages.show(request, HERE, "console-token", model);
  }

  /** Takes a step for the token as the page showed it. */
  @PostMapping("/one")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  ResponseEntity<byte[]> change(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String serial = field(request, "serial");
    String step = field(request, "step");
    Optional<String> tag = request.field("tag");
    String administrator = request.rights().administrator();
    switch (step) {
      case "assign" -> tokens.assign(realm, serial, field(request, "person"), tag, administrator);
      case "unassign" -> tokens.unassign(realm, serial, tag, administrator);
      case "enable" -> tokens.enable(realm, serial, tag, administrator);
      case "disable" -> tokens.disable(realm, serial, tag, administrator);
      case "lost" -> tokens.lose(realm, serial, tag, administrator);
      case "found" -> tokens.found(realm, serial, tag, administrator);
      case "fields" -> describe(request, realm, serial);
      case "replace" -> tokens.replace(realm, serial, field(request, "by"), tag, administrator);
      case "resynchronise" ->
          tokens.resynchronise(realm, serial, tag, new TwoCodes(field(request, "code"), field(request, "next")), administrator);
      default -> throw new BadRequest("`step` is one of " + String.join(", ", STEPS.stream().sorted().toList()) + ".");
    }
    // What its person set up is deleted when it is taken back.
    boolean isDeleted = step.equals("unassign") && serial.startsWith("app-");
    return pages.seeOther(
        isDeleted ? Address.ofRealm(realm, PATH) : Address.ofRealm(realm, PATH + "/one", "serial", serial, "done", step));
  }

  private void describe(ConsoleRequest request, String realm, String serial) {
    FieldsView before = Objects.requireNonNull(fields.get(realm, serial).getBody());
    Optional<Instant> end = request.field("expires").map(String::strip).filter(text -> !text.isEmpty()).map(day -> end(day, before));
    fields.put(realm, serial, request.field("tag"), new FieldsView(request.field("label"), request.field("note"), end), request.rights());
  }

  /** The end of the day (UTC); a day that was not changed keeps its time. */
  private static Instant end(String day, FieldsView before) {
    Optional<Instant> same = before.expiresAt().filter(end -> end.toString().startsWith(day));
    try {
      return same.orElseGet(() -> LocalDate.parse(day).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().minusSeconds(1));
    } catch (DateTimeException e) {
      throw new BadRequest("`expires` is a date like 2027-01-31.");
    }
  }

  private static String field(ConsoleRequest request, String name) {
    return request.field(name).map(String::strip).orElseThrow(() -> new BadRequest("`" + name + "` is missing."));
  }
}
