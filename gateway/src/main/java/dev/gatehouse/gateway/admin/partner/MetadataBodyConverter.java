package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.gateway.admin.partner.PartnerImportViews.PartnerImport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;

/** Reads metadata that are the body of the request. */
final class MetadataBodyConverter extends AbstractHttpMessageConverter<PartnerImport> {

  MetadataBodyConverter() {
    super(MediaType.valueOf("application/samlmetadata+xml"), MediaType.APPLICATION_XML, MediaType.TEXT_XML);
  }

  @Override
  protected boolean supports(Class<?> type) {
    return type == PartnerImport.class;
  }

  @Override
  public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
    return false;
  }

  @Override
  protected PartnerImport readInternal(Class<? extends PartnerImport> type, HttpInputMessage request) throws IOException {
    byte[] body = request.getBody().readAllBytes();
    String xml = new String(body, StandardCharsets.UTF_8);
    if (!Arrays.equals(body, xml.getBytes(StandardCharsets.UTF_8))) {
      throw new HttpMessageNotReadableException("not UTF-8", request);
    }
    return new PartnerImport(
        Optional.empty(), Optional.of(xml), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  @Override
  protected void writeInternal(PartnerImport wanted, HttpOutputMessage response) {
    throw new UnsupportedOperationException("imports are only read");
  }
}
