package dev.gatehouse.gateway.console.release;

import dev.gatehouse.common.admin.ReleaseView;
import dev.gatehouse.common.admin.ReleaseView.ReleasedValue;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.person.ReleaseEndpoint;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/REALM/people/release}: what a login would tell a partner about a person, and why. */
@Controller
@RequestMapping("/console/realms/{realm}/people/release")
final class ReleasePage {

  private static final String HERE = "people";
  private static final String PATH = "people/release";
  private static final String CLIENT = "client";

  /** Suggestions for a partner; others can be typed in. */
  private static final int SUGGESTIONS = 100;

  /** @param kind {@code client} or {@code service-provider} */
  private record Question(String name, String kind, String partner, String scope, String service) {}

  private final Realms realms;
  private final ReleaseEndpoint releases;
  private final ConsolePages pages;

  ReleasePage(Realms realms, ReleaseEndpoint releases, ConsolePages pages) {
    this.realms = realms;
    this.releases = releases;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> form(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "name", defaultValue = "") String name,
      @RequestParam(name = "partner", defaultValue = "") String partner,
      @RequestParam(name = "kind", defaultValue = "service-provider") String kind) {
    return pages.show(request, HERE, "console-release", model(realm, new Question(name, kind, partner, "", "")));
  }

  /** A form, because the question names a person. */
  @PostMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    Question question =
        new Question(
            request.field("name").orElse(""),
            request.field("kind").orElse(""),
            request.field("partner").orElse(""),
            request.field("scope").orElse(""),
            request.field("service").orElse(""));
    Map<String, Object> model = model(realm, question);
    int status = 200;
    try {
      ReleaseView release = ask(realm, question, request.rights().administrator());
      Map<Boolean, List<ReleasedValue>> sorted =
          release.values().stream().collect(Collectors.partitioningBy(value -> value.withheld().isEmpty()));
      model.put("release", release);
      model.put("released", sorted.get(true));
      model.put("withheld", sorted.get(false));
    } catch (BadRequest e) {
      model.put("wrong", String.valueOf(e.getMessage()));
      status = 400;
    } catch (NotFound e) {
      model.put("wrong", String.valueOf(e.getMessage()));
      status = 404;
    }
    return pages.show(request, status, HERE, "console-release", model);
  }

  private ReleaseView ask(String realm, Question question, String administrator) {
    return question.kind().equals(CLIENT)
        ? releases.toClient(realm, question.name(), question.partner(), given(question.scope()), Optional.empty(), administrator)
        : releases.toServiceProvider(realm, question.name(), question.partner(), service(question.service()), administrator);
  }

  private static Optional<Integer> service(String index) {
    if (!index.matches("[0-9]{0,5}")) {
      throw new BadRequest("The index of an AttributeConsumingService is a number from 0 to 65535.");
    }
    return given(index).map(Integer::valueOf);
  }

  private static Optional<String> given(String value) {
    return Optional.of(value).filter(text -> !text.isEmpty());
  }

  private Map<String, Object> model(String realm, Question question) {
    Realm found = realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
    Stream<String> partners =
        Stream.concat(
            found.parties().partners().stream().map(PartnerConfig::entityId),
            found.parties().clients().stream().map(ClientConfig::clientId));
    Map<String, Object> model = new HashMap<>();
    model.put("realmTitle", found.brand().displayName());
    model.put("question", question);
    model.put("partners", partners.limit(SUGGESTIONS).toList());
    model.put("action", Address.ofRealm(realm, PATH));
    model.put("back", Address.ofRealm(realm, HERE, "name", question.name()));
    return model;
  }
}
