package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The attribute with a person's immutable id. It is text (entryUUID, RFC 4530) except in Active Directory, whose {@code
 * objectGUID} is 16 bytes, the first three fields little-endian ([MS-DTYP], section 2.3.4.2). We write that as Microsoft's tools
 * do: {@code 3f2504e0-4f89-11d3-9a0c-0305e82c3301}.
 */
record IdAttribute(String name) {

  private static final String OBJECT_GUID = "objectGUID";
  private static final Pattern GUID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  boolean isGuid() {
    return name.equalsIgnoreCase(OBJECT_GUID);
  }

  /** Returns the id; empty if there is none, or if its bytes are not text: two such ids could read alike. */
  Optional<PersonId> of(Entry entry) {
    byte[] bytes = entry.getAttributeValueBytes(name);
    return Optional.ofNullable(bytes)
        .flatMap(this::text)
        .filter(text -> !text.isBlank())
        .map(PersonId::new);
  }

  private Optional<String> text(byte[] bytes) {
    if (isGuid()) {
      return bytes.length == 16 ? Optional.of(guid(bytes)) : Optional.empty();
    }
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Returns the filter for the person with this id, bytes escaped (RFC 4515); empty if nobody can have the id. */
  Optional<Filter> filter(String id) {
    if (!isGuid()) {
      return Optional.of(Filter.createEqualityFilter(name, id));
    }
    return GUID.matcher(id).matches() ? Optional.of(Filter.createEqualityFilter(name, bytes(id))) : Optional.empty();
  }

  private static String guid(byte[] bytes) {
    ByteBuffer little = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long first = little.getInt() & 0xffff_ffffL;
    long second = little.getShort() & 0xffffL;
    long third = little.getShort() & 0xffffL;
    long high = (first << 32) | (second << 16) | third;
    return new UUID(high, little.order(ByteOrder.BIG_ENDIAN).getLong()).toString();
  }

  static byte[] bytes(String guid) {
    UUID id = UUID.fromString(guid);
    long high = id.getMostSignificantBits();
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt((int) (high >>> 32)).putShort((short) (high >>> 16)).putShort((short) high);
    return bytes.order(ByteOrder.BIG_ENDIAN).putLong(id.getLeastSignificantBits()).array();
  }
}
