package dev.gatehouse.gateway.console.token;

import dev.gatehouse.common.admin.TrustDesk.TrustTest;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.token.TrustEndpoint;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/** {@code /console/realms/{realm}/tokens/trusts}: other realms of one-time passwords, their certificates, and whether they answer. */
@Controller
@RequestMapping("/console/realms/{realm}/tokens/trusts")
final class TrustPages {

  static final String PATH = "tokens/trusts";

  private final TrustEndpoint trusts;
  private final ConsolePages pages;

  TrustPages(TrustEndpoint trusts, ConsolePages pages) {
    this.trusts = trusts;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> list(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    return page(request, realm, "", Optional.empty());
  }

  /** Asks a realm whether it trusts us. */
  @PostMapping("/test")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> test(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String name = request.field("name").orElseThrow(() -> new BadRequest("`name` is missing."));
    return page(request, realm, name, Optional.of(trusts.test(realm, name, request.rights().administrator())));
  }

  private ResponseEntity<byte[]> page(ConsoleRequest request, String realm, String tested, Optional<TrustTest> result) {
    Map<String, Object> model = new HashMap<>();
    model.put("trusts", trusts.list(realm).trusts());
    model.put("tested", tested);
    model.put("result", result);
    model.put("action", Address.ofRealm(realm, PATH + "/test"));
    model.put("back", Address.ofRealm(realm, "tokens"));
    return pages.show(request, TokenPages.HERE, "console-token-trusts", model);
  }
}
