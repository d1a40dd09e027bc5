package dev.gatehouse.gateway.console.token;

import dev.gatehouse.common.admin.TokenDesk.StandIn;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.token.TokenHolderEndpoint;
import dev.gatehouse.gateway.admin.token.TokenHolderEndpoint.StandInOrder;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/** {@code /console/realms/{realm}/tokens/person}: a person's tokens, PIN and lock, and what stands in for a lost token. */
@Controller
@RequestMapping("/console/realms/{realm}/tokens/person")
final class TokenHolderPages {

  private static final String PATH = "tokens/person";
  private static final Set<String> DONE = Set.of("unlock", "end");

  private record TokenLine(String serial, String state, String href) {}

  private final TokenHolderEndpoint people;
  private final InstantSource clock;
  private final ConsolePages pages;

  TokenHolderPages(TokenHolderEndpoint people, InstantSource clock, ConsolePages pages) {
    this.people = people;
    this.clock = clock;
    this.pages = pages;
  }

  /** Returns the address of the page about a person. */
  static String address(String realm, String person) {
    return Address.ofRealm(realm, PATH, "name", person);
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("name") String name,
      @RequestParam(name = "done", defaultValue = "") String done) {
    return page(request, realm, name, Optional.of(done).filter(DONE::contains), Optional.empty());
  }

  private ResponseEntity<byte[]> page(
      ConsoleRequest request, String realm, String name, Optional<String> done, Optional<StandIn> told) {
    var holder = people.get(realm, name);
    Map<String, Object> model = new HashMap<>();
    model.put("name", name);
    model.put("holder", holder);
    model.put(
        "tokens",
        holder.tokens().stream()
            .map(token -> new TokenLine(token.serial(), token.state(), Address.ofRealm(realm, "tokens/one", "serial", token.serial())))
            .toList());
    model.put("done", done);
    model.put("told", told);
    model.put("secrets", told.map(StandIn::values).orElse(List.of()));
    model.put("action", Address.ofRealm(realm, PATH));
    model.put("back", Address.ofRealm(realm, "tokens"));
    model.put("accessHref", Address.ofRealm(realm, "people/access", "name", name));
    return pages.show(request, TokenPages.HERE, "console-token-holder", model);
  }

  /** Takes a step. What it makes is in this answer alone. */
  @PostMapping
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  ResponseEntity<byte[]> change(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String name = request.field("name").map(String::strip).orElseThrow(() -> new BadRequest("`name` is missing."));
    String step = request.field("step").orElse("");
    String administrator = request.rights().administrator();
    return switch (step) {
      case "pin" -> {
        String pin = people.clearPin(realm, name, administrator).pin();
        yield page(request, realm, name, Optional.empty(), Optional.of(new StandIn("pin", List.of(pin), clock.instant())));
      }
      case "password", "codes" -> {
        StandInOrder order = new StandInOrder(step, Optional.empty(), request.field("hours").map(this::end));
        yield page(request, realm, name, Optional.empty(), Optional.of(people.standIn(realm, name, order, administrator)));
      }
      case "unlock" -> {
        people.unlock(realm, name, administrator);
        yield pages.seeOther(Address.ofRealm(realm, PATH, "name", name, "done", step));
      }
      case "end" -> {
        people.endStandIn(realm, name, administrator);
        yield pages.seeOther(Address.ofRealm(realm, PATH, "name", name, "done", step));
      }
      default -> throw new BadRequest("`step` is one of pin, password, codes, unlock, end.");
    };
  }

  private Instant end(String hours) {
    if (!hours.matches("[0-9]{1,3}")) {
      throw new BadRequest("`hours` is a number from 1 to 720.");
    }
    return clock.instant().plus(Duration.ofHours(Long.parseLong(hours)));
  }
}
