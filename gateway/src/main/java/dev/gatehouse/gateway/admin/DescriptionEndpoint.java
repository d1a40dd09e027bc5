package dev.gatehouse.gateway.admin;

import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The OpenAPI document of the administration, for everybody: tools read it before they have a key. A test generates it from the
 * endpoints; a node only sends it (decision 577).
 */
@Hidden
@RestController
public final class DescriptionEndpoint {

  private static final Resource DOCUMENT = new ClassPathResource("/admin/openapi.json");

  @GetMapping(path = AdminKeyFilter.DESCRIPTION, produces = MediaType.APPLICATION_JSON_VALUE)
  Resource description() {
    return DOCUMENT;
  }
}
