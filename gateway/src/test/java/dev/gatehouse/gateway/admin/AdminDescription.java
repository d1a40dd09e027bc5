package dev.gatehouse.gateway.admin;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RoleDescription;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springdoc.core.configuration.SpringDocConfiguration;
import org.springdoc.core.configuration.SpringDocSpecPropertiesConfiguration;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.webmvc.core.configuration.SpringDocWebMvcConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Generates the OpenAPI document from the endpoints, for {@link AdminDescriptionTest}. */
@Configuration(proxyBeanMethods = false)
@PropertySource("classpath:/springdoc.properties")
@ImportAutoConfiguration({
  SpringDocConfiguration.class,
  SpringDocConfigProperties.class,
  SpringDocSpecPropertiesConfiguration.class,
  SpringDocWebMvcConfiguration.class
})
class AdminDescription {
  private static final String IF_MATCH = "If-Match";
  private static final String PROBLEM = "#/components/schemas/Problem";

  @Bean
  OpenAPI openApi() {
    Info info =
        new Info()
            .title("Gatehouse administration")
            .version("v1")
            .description("Realms, partners, routes, sessions, persistent federation and configuration of one node.")
            .license(new License().name("Apache-2.0").url("https://www.apache.org/licenses/LICENSE-2.0"));
    SecurityScheme key =
        new SecurityScheme()
            .type(SecurityScheme.Type.HTTP)
            .scheme("bearer")
            .description(
                "An administrator key, made by `gatehouse keys admin --name NAME`. `x-required-role` of an operation is the least role;"
                    + " `x-required-realm` is `named` (needed in the realm of the request), `all` (in all realms) or `any` (in some"
                    + " realm; the operation leaves out, or refuses, what concerns others). In a session of the console, an operation"
                    + " with `x-recent-login-seconds` needs a login that is not older");
    return new OpenAPI()
        .info(info)
        .servers(List.of(new Server().url("/")))
        .components(new Components().addSecuritySchemes("administratorKey", key))
        .addSecurityItem(new SecurityRequirement().addList("administratorKey"));
  }

  @Bean
  RoleDescription requiredRoles() {
    return new RoleDescription();
  }

  /** Adds a problem (RFC 9457) as a possible response to every operation. */
  @Bean
  OpenApiCustomizer problems() {
    ApiResponse problem =
        new ApiResponse()
            .description("401 no key, 403 unknown key or missing role, 404 not found, 429 too many wrong keys, 5xx: a problem")
            .content(problemContent());
    return api -> {
      api.getPaths().values().forEach(path -> path.readOperations().forEach(operation -> describe(operation, problem)));
      api.getComponents().addSchemas("Problem", problem());
    };
  }

  /** Every refusal is a problem; a 422 has the members of what was asked for, too. */
  private static void describe(Operation operation, ApiResponse problem) {
    operation
        .getResponses()
        .forEach(
            (status, response) -> {
              if (status.equals("422")) {
                response.setContent(unprocessable(response.getContent()));
              } else if (status.startsWith("4") || status.startsWith("5")) {
                response.setContent(problemContent());
              }
            });
    operation.getResponses().addApiResponse("default", problem);
  }

  private static Content unprocessable(Content view) {
    return new Content().addMediaType("application/problem+json", view.values().iterator().next());
  }

  private static Content problemContent() {
    return new Content().addMediaType("application/problem+json", new MediaType().schema(new Schema<>().$ref(PROBLEM)));
  }

  /** Gives parameters without a type that of text, and bounds the length of pages. */
  @Bean
  OpenApiCustomizer parameters() {
    return api ->
        api.getPaths().values().stream()
            .flatMap(path -> path.readOperations().stream())
            .map(operation -> Optional.ofNullable(operation.getParameters()).orElse(List.of()))
            .forEach(
                parameters -> {
                  parameters.forEach(AdminDescription::complete);
                  boolean mayBeDry = parameters.stream().anyMatch(parameter -> parameter.getName().equals("dryRun"));
                  parameters.stream().filter(AdminDescription::isRevision).forEach(tag -> tag.required(!mayBeDry));
                });
  }

  /** The tag of something else than a revision has its own pattern, and may be absent. */
  private static boolean isRevision(Parameter parameter) {
    return parameter.getName().equals(IF_MATCH)
        && Optional.ofNullable(parameter.getSchema()).map(Schema::getPattern).filter(pattern -> !pattern.contains("\\d")).isEmpty();
  }

  private static void complete(Parameter parameter) {
    if (isRevision(parameter)) {
      // Beyond what annotations can say: an example that begins with a quotation mark is read as JSON.
      parameter.schema(new StringSchema().pattern("^(\"\\d{1,18}\")?$")).example("\"7\"");
    }
    if (parameter.getSchema() == null) {
      parameter.setSchema(new StringSchema());
    }
    if (parameter.getName().equals("limit") && parameter.getSchema().getMinimum() == null) {
      parameter.getSchema().minimum(BigDecimal.ONE).maximum(BigDecimal.valueOf(Paging.MAX));
    }
  }

  /** After the members of bodies are marked as required. */
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  OpenApiCustomizer requestMembers() {
    return new RequestMembers();
  }

  /** Marks all components of records as required that are not Optional. */
  @Bean
  @Order(0)
  OpenApiCustomizer required() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.gatehouse.gateway.admin", "dev.gatehouse.common.admin", "dev.gatehouse.sp.inspection");
    List<Class<?>> records = classes.stream().filter(JavaClass::isRecord).<Class<?>>map(JavaClass::reflect).toList();
    return api -> records.forEach(type -> require(api.getComponents().getSchemas(), type));
  }

  private static void require(Map<String, Schema> schemas, Class<?> type) {
    var annotation = type.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
    Schema<?> schema = schemas.get(annotation == null || annotation.name().isEmpty() ? type.getSimpleName() : annotation.name());
    List<String> required =
        Arrays.stream(type.getRecordComponents())
            .filter(component -> component.getType() != Optional.class)
            .map(RecordComponent::getName)
            .toList();
    // Other records, which are never shown, have the names of some that are.
    if (schema != null && schema.getProperties() != null && schema.getProperties().keySet().containsAll(required)) {
      required.forEach(schema::addRequiredItem);
    }
  }

  private static Schema<?> problem() {
    return new ObjectSchema()
        .description("Problem details (RFC 9457)")
        .addProperty("type", new StringSchema())
        .addProperty("title", new StringSchema())
        .addProperty("status", new IntegerSchema())
        .addProperty("detail", new StringSchema())
        .addProperty("instance", new StringSchema())
        .addProperty("requiredRole", new StringSchema().description("Of a 403: the role that the key lacks"))
        .addProperty("requiredRealm", new StringSchema().description("Of a 403: where; absent for all realms"))
        .addProperty("roles", new ArraySchema().items(new StringSchema()).description("Of a 403: the roles that the key has"))
        .addProperty(
            "error", new StringSchema().description("Of a 401: insufficient_user_authentication, if the login is too old (RFC 9470)"))
        .addProperty("max_age", new IntegerSchema().description("Of such a 401: the greatest age of the login, in seconds"))
        .addProperty("reference", new StringSchema().description("The reference of the log line"))
        .required(List.of("title", "status"));
  }
}
