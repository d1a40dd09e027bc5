package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.partner.AggregateImport;
import dev.gatehouse.gateway.admin.partner.AggregateImportEndpoint;
import dev.gatehouse.gateway.admin.partner.PartnerEndpoint;
import dev.gatehouse.gateway.admin.partner.PartnerImportEndpoint;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.FoundPartner;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.ImportedPartner;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.PartnerImport;
import dev.gatehouse.gateway.admin.partner.ProviderImportEndpoint;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ImportedProvider;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ProviderImport;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Precondition;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/partners/import} and {@code .../providers/import}, and tests of partners. */
@Controller
@RequestMapping("/console/realms")
final class PartnerPages {

  private static final String HERE = RealmPages.HERE;
  private static final String IMPORT = "partners/import";

  /** Stands for the alias that a provider will have. */
  private static final String ALIAS = "ALIAS";

  /**
   * What a form has sent.
   *
   * @param xml in base64, because browsers change the line ends of texts
   * @param refused the job that refused the aggregate as older; empty at first
   */
  private record Form(String url, String xml, String entityId, String verifyWith, String refused) {}

  /** What the form for OpenID providers has sent. */
  private record ProviderForm(String issuer, String clientId, String alias, String secret, String authentication, String scopes) {

    static final ProviderForm EMPTY = new ProviderForm("", "", "", "", "", "");

    static ProviderForm of(ConsoleRequest request) {
      return new ProviderForm(
          request.field("issuer").orElse(""), request.field("clientId").orElse(""), request.field("alias").orElse(""),
          request.field("secret").orElse(""), request.field("authentication").orElse(""), request.field("scopes").orElse(""));
    }

    ProviderImport wanted(ConsoleRequest request) {
      Map<String, @Nullable Object> settings = new HashMap<>();
      given(alias).ifPresent(name -> settings.put("alias", name));
      given(scopes).ifPresent(text -> settings.put("scopes", List.of(text.split("[\\s,]+"))));
      return new ProviderImport(
          issuer, given(clientId), given(secret), given(authentication), request.field("digest"), Optional.of(settings),
          request.field("reason"));
    }
  }

  private final PartnerImportEndpoint imports;
  private final AggregateImportEndpoint aggregates;
  private final ProviderImportEndpoint providers;
  private final PartnerEndpoint partners;
  private final JobEndpoint jobs;
  private final Realms realms;
  private final ConsolePages pages;

  PartnerPages(
      PartnerImportEndpoint imports, AggregateImportEndpoint aggregates, ProviderImportEndpoint providers, PartnerEndpoint partners,
      JobEndpoint jobs, Realms realms, ConsolePages pages) {
    this.imports = imports;
    this.aggregates = aggregates;
    this.providers = providers;
    this.partners = partners;
    this.jobs = jobs;
    this.realms = realms;
    this.pages = pages;
  }

  /** Returns the address of the form after a job has refused an aggregate as older: it then offers to import it all the same. */
  static String againAfter(String realm, String job) {
    return Address.ofRealm(realm, IMPORT, "refused", job);
  }

  @GetMapping("/{realm}/partners/import")
  @RequiresRole(AdministratorRole.ADMIN)
  ResponseEntity<byte[]> form(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "refused", defaultValue = "") String refused) {
    return pages.show(request, HERE, "console-import", model(request, realm, new Form("", "", "", "", refused), Optional.empty()));
  }

  /** Shows what was found; with {@code ifMatch}, imports it. */
  @PostMapping("/{realm}/partners/import")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> send(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    Form form = read(request);
    try {
      PartnerImport wanted = wanted(form, request);
      Optional<String> ifMatch = request.field("ifMatch");
      return ifMatch.isPresent() ? apply(request, realm, form, wanted, ifMatch.get()) : preview(request, realm, form, wanted);
    } catch (BadRequest | Conflict e) {
      return wrong(request, e, "console-import", model(request, realm, form, Optional.ofNullable(e.getMessage())));
    }
  }

  private static Form read(ConsoleRequest request) {
    String xml =
        request
            .field("document")
            .or(() -> text(request, "xml").or(() -> text(request, "file")).map(PartnerPages::base64))
            .orElse("");
    return new Form(
        request.field("url").orElse(""), xml, request.field("entityId").orElse(""), request.field("verifyWith").orElse(""),
        request.field("refused").orElse(""));
  }

  /** Returns a text as it was sent, so that its digest is that of the file. */
  private static Optional<String> text(ConsoleRequest request, String name) {
    return request.http().formParameters().one(name).filter(value -> !value.isBlank());
  }

  private static String base64(String xml) {
    return Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
  }

  private static PartnerImport wanted(Form form, ConsoleRequest request) {
    if (form.url().isEmpty() == form.xml().isEmpty()) {
      throw new BadRequest("Give the metadata in one way: by their address, as a file, or as text.");
    }
    return new PartnerImport(
        given(form.url()), given(form.xml()).map(PartnerPages::decoded), given(form.entityId()), given(form.verifyWith()),
        request.field("digest"), Optional.empty(), request.field("reason"));
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("The form cannot be read.");
    }
  }

  private static Optional<String> given(String value) {
    return Optional.of(value).filter(text -> !text.isEmpty());
  }

  private ResponseEntity<byte[]> preview(ConsoleRequest request, String realm, Form form, PartnerImport wanted) {
    ResponseEntity<ImportedPartner> answer =
        imports.importPartner(realm, true, Optional.empty(), "", wanted, request.rights());
    Map<String, Object> model = model(request, realm, form, Optional.empty());
    show(model, Objects.requireNonNull(answer.getBody()));
    model.put("ifMatch", Objects.requireNonNull(answer.getHeaders().getETag()));
    return pages.show(request, answer.getStatusCode().value(), HERE, "console-import-preview", model);
  }

  private ResponseEntity<byte[]> apply(ConsoleRequest request, String realm, Form form, PartnerImport wanted, String ifMatch) {
    try {
      ResponseEntity<ImportedPartner> answer =
          imports.importPartner(realm, false, Optional.empty(), ifMatch, wanted, request.rights());
      ImportedPartner done = Objects.requireNonNull(answer.getBody());
      if (answer.getStatusCode().is2xxSuccessful()) {
        return pages.seeOther(Address.ofRealm(realm, "partners", "q", done.found().map(FoundPartner::entityId).orElse("")));
      }
      Map<String, Object> model = model(request, realm, form, Optional.empty());
      show(model, done);
      model.put("ifMatch", "");
      return pages.show(request, answer.getStatusCode().value(), HERE, "console-import-preview", model);
    } catch (Precondition e) {
      Map<String, Object> model = model(request, realm, form, Optional.of("stale"));
      return pages.show(request, e.status().value(), HERE, "console-import", model);
    }
  }

  private static void show(Map<String, Object> model, ImportedPartner view) {
    model.put("view", view);
    show(model, view.plan());
  }

  private static void show(Map<String, Object> model, Optional<PlanView> plan) {
    model.put("changes", plan.map(PlanView::changes).orElse(List.of()));
    model.put("files", List.of());
    model.put("more", 0);
  }

  private Map<String, Object> model(ConsoleRequest request, String realm, Form form, Optional<String> wrong) {
    Map<String, Object> model = new HashMap<>();
    model.put("refusal", refusal(request, realm, form.refused()));
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("back", Address.ofRealm(realm, "partners"));
    model.put("action", Address.ofRealm(realm, IMPORT));
    model.put("aggregateAction", Address.ofRealm(realm, "partners/import-aggregate"));
    model.put("form", form);
    model.put("wrong", wrong);
    return model;
  }

  /** What the job said that refused the aggregate as older. Empty if there is none, or if it is forgotten: then another job says it. */
  private Optional<String> refusal(ConsoleRequest request, String realm, String job) {
    if (job.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(jobs.one(job, request.rights()).getBody())
          .filter(view -> view.realm().filter(realm::equals).isPresent() && AggregateImport.wasOlder(view))
          .flatMap(JobView::problem);
    } catch (NotFound e) {
      return Optional.empty();
    }
  }

  /** Imports several entities of one document as a job. */
  @PostMapping("/{realm}/partners/import-aggregate")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> aggregate(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    Form form = read(request);
    String which = request.field("which").orElse("");
    boolean isAll = List.of("all", "idp", "sp").contains(which);
    Optional<List<String>> ids = request.field("entityIds").map(text -> List.of(text.split("\\s+"))).filter(given -> !isAll);
    Optional<String> role = Optional.of(which).filter(List.of("idp", "sp")::contains);
    AggregateImport wanted =
        new AggregateImport(
            given(form.url()), given(form.xml()).map(PartnerPages::decoded), form.verifyWith(), ids, Optional.of(isAll),
            role, Optional.empty(), request.field("reason"));
    try {
      boolean isDryRun = request.field("dryRun").isPresent();
      boolean older = request.field("older").filter("true"::equals).isPresent();
      String ifMatch = request.field("ifMatch").orElse("");
      JobView job = Objects.requireNonNull(aggregates.importAggregate(realm, isDryRun, older, ifMatch, wanted, request.rights()).getBody());
      return pages.seeOther(JobPages.address(job.id()));
    } catch (BadRequest | Conflict e) {
      return wrong(request, e, "console-import", model(request, realm, form, Optional.ofNullable(e.getMessage())));
    } catch (Precondition e) {
      return pages.show(request, e.status().value(), HERE, "console-import", model(request, realm, form, Optional.of("stale")));
    }
  }

  private ResponseEntity<byte[]> wrong(ConsoleRequest request, RuntimeException e, String page, Map<String, Object> model) {
    HttpStatus status = e instanceof Conflict ? HttpStatus.CONFLICT : HttpStatus.BAD_REQUEST;
    return pages.show(request, status.value(), HERE, page, model);
  }

  @GetMapping("/{realm}/providers/import")
  @RequiresRole(AdministratorRole.ADMIN)
  ResponseEntity<byte[]> providerForm(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    return pages.show(request, HERE, "console-provider", providerModel(realm, ProviderForm.EMPTY, Optional.empty()));
  }

  /** Shows what was found of a provider; with {@code ifMatch}, imports it. */
  @PostMapping("/{realm}/providers/import")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> provider(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    ProviderForm form = ProviderForm.of(request);
    Optional<String> ifMatch = request.field("ifMatch");
    try {
      ResponseEntity<ImportedProvider> answer =
          providers.importProvider(realm, ifMatch.isEmpty(), ifMatch.orElse(""), form.wanted(request), request.rights());
      if (ifMatch.isPresent() && answer.getStatusCode().is2xxSuccessful()) {
        return pages.seeOther(Address.ofRealm(realm, ""));
      }
      ImportedProvider view = Objects.requireNonNull(answer.getBody());
      Map<String, Object> model = providerModel(realm, form, Optional.empty());
      model.put("view", view);
      show(model, view.plan());
      model.put("ifMatch", ifMatch.isPresent() ? "" : Objects.requireNonNull(answer.getHeaders().getETag()));
      return pages.show(request, answer.getStatusCode().value(), HERE, "console-provider-preview", model);
    } catch (BadRequest | Conflict e) {
      return wrong(request, e, "console-provider", providerModel(realm, form, Optional.ofNullable(e.getMessage())));
    } catch (Precondition e) {
      return pages.show(request, e.status().value(), HERE, "console-provider", providerModel(realm, form, Optional.of("stale")));
    }
  }

  private Map<String, Object> providerModel(String realm, ProviderForm form, Optional<String> wrong) {
    Map<String, Object> model = new HashMap<>();
    Optional<SpConfig> sp = realms.find(realm).flatMap(Realm::sp);
    model.put("redirectUri", sp.map(config -> config.openIdCallback(Optional.empty())));
    model.put("ownRedirectUri", sp.map(config -> config.openIdCallback(Optional.of(ALIAS))));
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("back", Address.ofRealm(realm, "partners"));
    model.put("action", Address.ofRealm(realm, "providers/import"));
    model.put("form", form);
    model.put("wrong", wrong);
    return model;
  }

  @PostMapping("/{realm}/partner/test")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> test(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String id = request.field("id").orElseThrow(() -> new NotFound("There is no such partner."));
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("back", Address.ofRealm(realm, "partner", "id", id));
    model.put("test", partners.test(realm, id, request.rights()));
    return pages.show(request, HERE, "console-partner-test", model);
  }

  @PostMapping("/{realm}/partners/test")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> testAll(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    JobView job = Objects.requireNonNull(partners.testAll(realm, request.rights()).getBody());
    return pages.seeOther(JobPages.address(job.id()));
  }
}
