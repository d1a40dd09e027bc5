package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON of imports of OpenID providers. */
public final class ProviderImportViews {

  /** An OpenID provider to import. */
  @Schema(name = "ProviderImport")
  public record ProviderImport(
      @Schema(description = "Its issuer, exactly as it names itself", example = "https://login.example.org") String issuer,
      @Schema(description = "Our client ID there; needed if people log in there, not for verifying its access tokens")
          Optional<String> clientId,
      @Schema(description = "The name of the stored secret with our client secret", example = "example.crm") Optional<String> secret,
      @Schema(
              description = "How we authenticate there; default: client_secret_basic with a secret, otherwise private_key_jwt",
              allowableValues = {"client_secret_basic", "client_secret_post", "private_key_jwt"})
          Optional<String> authentication,
      @Schema(description = "`digest` of a preview: another discovery document than that is refused") Optional<String> digest,
      @Schema(description = "Further keys of the provider, for example `scopes`; those in use stay unless they are here")
          Optional<Map<String, @Nullable Object>> settings,
      @Schema(description = "Why, for people who read the revisions later") Optional<String> reason) {}

  /** What was found, and what it would change or has changed. */
  @Schema(name = "ImportedProvider")
  public record ImportedProvider(
      String issuer,
      @Schema(description = "SHA-256 of the discovery document, in hexadecimal digits") Optional<String> digest,
      Optional<FoundProvider> found,
      @Schema(description = "The provider's entry in the realm's file") Optional<String> entry,
      @Schema(description = "All problems; without one, it can be imported") List<ProblemView> problems,
      @Schema(description = "What the configuration would change, or has changed") Optional<PlanView> plan) {

    /** Returns the view with a plan, whose problems are among the others. */
    ImportedProvider with(PlanView made) {
      return new ImportedProvider(issuer, digest, found, entry, PartnerImports.both(problems, made.problems()), Optional.of(made));
    }
  }

  /** A provider as its discovery document and its keys describe it. */
  @Schema(name = "FoundProvider")
  public record FoundProvider(
      @Schema(description = "Those that are used here, by their names in the document") List<ProviderEndpointView> endpoints,
      List<ProviderKeyView> signingKeys,
      @Schema(description = "Of its ID tokens", example = "RS256") List<String> signingAlgorithms,
      @Schema(description = "How clients may authenticate there") List<String> authentication,
      List<String> scopes,
      @Schema(description = "What to register there: where its answers come to") Optional<String> redirectUri,
      @Schema(description = "What is missing or unusual, and what to look at before the import") List<String> notes) {}

  /** An endpoint of a provider. */
  @Schema(name = "ProviderEndpoint")
  public record ProviderEndpointView(@Schema(example = "token_endpoint") String name, String url) {}

  /** A key of a provider that can verify its signatures here. */
  @Schema(name = "ProviderKey")
  public record ProviderKeyView(
      @Schema(description = "`kid`") Optional<String> id,
      @Schema(description = "RSA, EC or OKP") String type,
      @Schema(description = "SHA-256 thumbprint in base64url (RFC 7638)") String thumbprint) {}

  private ProviderImportViews() {}
}
