package dev.gatehouse.common.realm;

import java.net.URI;
import java.util.Optional;

/**
 * The appearance of a realm's pages.
 *
 * @param displayName the name that pages show
 * @param accent a CSS colour as {@code #rrggbb}
 * @param logo a {@code data:} URL of an image (from the configured file, at most 64 KB)
 * @param description one sentence for people who choose where to log in; published in metadata (mdui:Description)
 * @param privacyUrl address of the privacy statement (mdui:PrivacyStatementURL)
 * @param informationUrl address of more information about the service (mdui:InformationURL)
 * @param theme further colours, texts and templates
 */
public record BrandConfig(
    String displayName,
    String accent,
    Optional<String> logo,
    Optional<String> description,
    Optional<URI> privacyUrl,
    Optional<URI> informationUrl,
    ThemeConfig theme) {

  /** Creates the appearance without a theme. */
  public BrandConfig(
      String displayName,
      String accent,
      Optional<String> logo,
      Optional<String> description,
      Optional<URI> privacyUrl,
      Optional<URI> informationUrl) {
    this(displayName, accent, logo, description, privacyUrl, informationUrl, ThemeConfig.NONE);
  }
}
