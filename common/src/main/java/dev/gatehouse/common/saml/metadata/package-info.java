/**
 * SAML 2.0 metadata as records (SAML Metadata 2 and 3; Login and Discovery UI 2.1.2). Partners' descriptors are parsed, verified and
 * given to {@code OpenSaml}; {@code MetadataObjects}, {@code DescriptorKeys} and {@code UiElements} make records of its objects.
 * {@code DescriptorElements} writes our own.
 */
@NullMarked
package dev.gatehouse.common.saml.metadata;

import org.jspecify.annotations.NullMarked;
