package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.EndpointRule;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.job.JobWork.JobProgress;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.job.Jobs.JobRequest;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/partners}: certificates and tests of the partners that are configured. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/partners", produces = "application/json")
@Tag(name = "partners", description = "Import, test and certificates of SAML partners; import of OpenID providers")
public final class PartnerEndpoint {

  private static final int MOST_NAMED = 100;

  /** A page of certificates. */
  @Schema(name = "PartnerCertificates")
  record CertificatePage(
      @Schema(description = "Those that end first come first") List<PartnerCertificateView> certificates,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  private final Realms realms;
  private final PartnerRegistry partners;
  private final PartnerTests tests;
  private final Jobs jobs;
  private final ConfigurationControl control;
  private final AdminAudit audit;

  PartnerEndpoint(
      Realms realms, PartnerRegistry partners, PartnerTests tests, Jobs jobs, ConfigurationControl control, AdminAudit audit) {
    this.realms = realms;
    this.partners = partners;
    this.tests = tests;
    this.jobs = jobs;
    this.control = control;
    this.audit = audit;
  }

  @GetMapping("/certificates")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(
      operationId = "listPartnerCertificates",
      summary = "A page of the certificates in the metadata of the realm's partners, by their end")
  CertificatePage certificates(
      @PathVariable("realm") String realm,
      @Parameter(description = "Only those of the partner with this entity ID") @RequestParam("partner") Optional<String> partner,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of certificates, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    requireRealm(realm);
    Stream<Partner> wanted = partner.isPresent() ? Stream.of(find(realm, partner.get())) : partners.all(realm).stream();
    NavigableMap<String, PartnerCertificateView> all = new TreeMap<>();
    wanted.flatMap(PartnerEndpoint::certificates).forEach(one -> all.put(key(one), one));
    Stream<PartnerCertificateView> page = all.tailMap(after, false).values().stream();
    return Paging.page(limit, most -> page.limit(most).toList(), PartnerEndpoint::key, CertificatePage::new);
  }

  private static Stream<PartnerCertificateView> certificates(Partner partner) {
    return partner.metadata() instanceof MetadataState.Usable usable
        ? PartnerCertificateView.of(usable.metadata()).stream()
        : Stream.empty();
  }

  private static String key(PartnerCertificateView one) {
    String end = String.format("%012d", one.expiresAt().getEpochSecond());
    return String.join(" ", end, one.partner(), one.role(), one.use(), one.fingerprint());
  }

  /** Tests a partner. */
  @PostMapping("/test")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "testPartner",
      summary = "Read a partner's metadata again and call its servers; changes nothing",
      description = "Takes up to 15 seconds. Servers without a public address are called only if `outbound.allow` has it; for operators of one realm,"
          + " only servers where `realms.NAME.outbound` lets the realm connect.")
  @ApiResponse(responseCode = "200", description = "Done")
  @ApiResponse(responseCode = "404", description = "There is no such realm or partner")
  public PartnerTestView test(
      @PathVariable("realm") String realm,
      @Parameter(description = "Its entity ID") @RequestParam("id") String id,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    requireRealm(realm);
    Partner partner = find(realm, id);
    audit.record(realm, rights.administrator(), "partner.test", Map.of("partner", id));
    return tests.test(partner, rule(realm, partner), destinations(rights, realm));
  }

  /** Tests all partners of a realm. */
  @PostMapping("/test-all")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "testPartners",
      summary = "Start a job that tests all partners of the realm, one after the other",
      description = "Its result has `tested`, `failed` and `warned`, and in `failures` and `warnings` the entity IDs, at most 100.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "409", description = "Such a job runs")
  public ResponseEntity<JobView> testAll(
      @PathVariable("realm") String realm, @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    requireRealm(realm);
    List<Partner> all = partners.all(realm);
    audit.record(realm, rights.administrator(), "partner.test-all", Map.of("partners", String.valueOf(all.size())));
    JobRequest request =
        new JobRequest("partner.test", Optional.of(realm), AdministratorRole.OPERATOR, "partners", rights);
    return JobEndpoint.accepted(jobs.start(request, progress -> testAll(realm, all, destinations(rights, realm), progress)));
  }

  private Destinations destinations(AdminRights rights, String realm) {
    return Destinations.of(rights, AdministratorRole.OPERATOR, realm, control);
  }

  private Map<String, Object> testAll(String realm, List<Partner> all, Destinations permitted, JobProgress progress) {
    List<String> failures = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    progress.at(0, all.size());
    for (int i = 0; i < all.size(); i++) {
      PartnerTestView result = tests.test(all.get(i), rule(realm, all.get(i)), permitted);
      switch (result.verdict()) {
        case "failed" -> failures.add(result.partner());
        case "warning" -> warnings.add(result.partner());
        default -> {}
      }
      progress.at(i + 1, all.size());
    }
    return Map.of(
        "tested", all.size(),
        "failed", failures.size(),
        "warned", warnings.size(),
        "failures", failures.stream().limit(MOST_NAMED).toList(),
        "warnings", warnings.stream().limit(MOST_NAMED).toList());
  }

  private EndpointRule rule(String realm, Partner partner) {
    return realms.find(realm).map(config -> EndpointRule.of(config, partner.config())).orElseThrow(() -> NotFound.realm(realm));
  }

  private void requireRealm(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
  }

  private Partner find(String realm, String id) {
    return partners.find(realm, id).orElseThrow(() -> new NotFound("There is no partner with that entity ID in the realm " + realm + "."));
  }
}
