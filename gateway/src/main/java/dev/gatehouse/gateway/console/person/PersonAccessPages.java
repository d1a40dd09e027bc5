package dev.gatehouse.gateway.console.person;

import dev.gatehouse.common.admin.AdminResource.AppSecretView;
import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import dev.gatehouse.common.admin.AdminResource.FederationView;
import dev.gatehouse.common.admin.PasskeyView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.person.PersonEndpoint.ConsentView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import dev.gatehouse.gateway.console.ConsoleRequest;
import dev.gatehouse.gateway.console.person.AccessStep.Part;
import dev.gatehouse.gateway.console.person.PersonAccess.Found;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/people/access}: what belongs to a person beside sessions, and its end. */
@Controller
@RequestMapping("/console/realms/{realm}/people/access")
final class PersonAccessPages {

  static final String HERE = "people";
  static final String PATH = "people/access";

  private record AuthorizationLine(AuthorizationView authorization, String href) {}

  private record ConsentLine(ConsentView consent, String href) {}

  private record FederationLine(FederationView federation, String href) {}

  private record PasskeyLine(PasskeyView passkey, String href) {}

  private record SecretLine(AppSecretView secret, String href) {}

  private final PersonAccess access;
  private final ConsolePages pages;

  PersonAccessPages(PersonAccess access, ConsolePages pages) {
    this.access = access;
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
    Found found = access.of(realm, name, request.rights().administrator());
    Map<String, Object> model = new HashMap<>();
    model.put("name", name);
    model.put("done", Arrays.stream(AccessStep.values()).map(AccessStep::word).filter(done::equals).findFirst());
    model.put("nothing", found.isNothing());
    model.put("person", found.person());
    model.put("unlockable", !AccessStep.UNLOCK.concerned(found, AccessStep.WHOLE).isEmpty());
    model.put("unlockHref", AccessStep.UNLOCK.askAddress(realm, name, AccessStep.WHOLE));
    model.put("consents", found.person().stream().flatMap(one -> one.consents().stream()).map(one -> line(realm, name, one)).toList());
    model.put("holder", found.holder());
    model.put("tokensHref", Address.ofRealm(realm, "tokens/person", "name", name));
    model.put("secondFactor", found.secondFactor());
    model.put("resetHref", AccessStep.SECOND_FACTOR.askAddress(realm, name, AccessStep.WHOLE));
    model.put("passkeys", found.passkeys().stream().map(one -> line(realm, name, one)).toList());
    model.put("authorizations", found.authorizations().stream().map(one -> line(realm, name, one)).toList());
    model.put("federations", found.federations().stream().map(one -> line(realm, name, one)).toList());
    model.put("mayFederations", request.rights().may(AdministratorRole.ADMIN, realm));
    model.put("secrets", found.secrets().stream().map(one -> line(realm, name, one)).toList());
    model.put("back", Address.ofRealm(realm, HERE, "name", name));
    return pages.show(request, HERE, "console-access", model);
  }

  private static AuthorizationLine line(String realm, String name, AuthorizationView one) {
    return new AuthorizationLine(one, AccessStep.AUTHORIZATION.askAddress(realm, name, new Part(one.id(), "", "")));
  }

  private static ConsentLine line(String realm, String name, ConsentView one) {
    return new ConsentLine(one, AccessStep.CONSENT.askAddress(realm, name, new Part("", "", one.partner())));
  }

  private static FederationLine line(String realm, String name, FederationView one) {
    return new FederationLine(one, AccessStep.FEDERATION.askAddress(realm, name, new Part(one.nameId(), one.kind(), one.partner())));
  }

  private static PasskeyLine line(String realm, String name, PasskeyView one) {
    return new PasskeyLine(one, AccessStep.PASSKEY.askAddress(realm, name, new Part(one.id(), "", "")));
  }

  private static SecretLine line(String realm, String name, AppSecretView one) {
    return new SecretLine(one, AccessStep.APP_SECRETS.askAddress(realm, name, new Part(one.app(), "", "")));
  }

  /** Says what of the person would end, before anything ends. */
  @GetMapping("/end")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("name") String name,
      @RequestParam("what") String what) {
    AccessStep step = AccessStep.of(what);
    require(request, realm, step);
    Part part = new Part(request.query("id").orElse(""), request.query("kind").orElse(""), request.query("partner").orElse(""));
    List<String> concerned = step.concerned(access.of(realm, name, request.rights().administrator()), part);
    if (concerned.isEmpty()) {
      throw new NotFound("There is nothing of this any more.");
    }
    Map<String, String> fields = new TreeMap<>(part.fields());
    fields.put("name", name);
    fields.put("what", what);
    String action = Address.ofRealm(realm, PATH + "/end");
    return pages.ask(request, HERE, new Question(what, name, Optional.of(realm), concerned, action, fields, address(realm, name)));
  }

  @PostMapping("/end")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  ResponseEntity<byte[]> end(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String name = request.field("name").orElseThrow(() -> new BadRequest("`name` is missing."));
    AccessStep step = AccessStep.of(request.field("what").orElse(""));
    require(request, realm, step);
    Part part = new Part(request.field("id").orElse(""), request.field("kind").orElse(""), request.field("partner").orElse(""));
    access.end(realm, name, step, part, request.rights().administrator());
    return pages.seeOther(Address.ofRealm(realm, PATH, "name", name, "done", step.word()));
  }

  /** Who ends names and links decides who can log in as whom: the REST interface needs the role admin, too. */
  private static void require(ConsoleRequest request, String realm, AccessStep step) {
    if (step == AccessStep.FEDERATION) {
      request.rights().require(AdministratorRole.ADMIN, realm);
    }
  }
}
