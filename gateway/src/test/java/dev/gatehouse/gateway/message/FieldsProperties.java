package dev.gatehouse.gateway.message;

/** What holds of header fields that were accepted, whatever they are. */
final class FieldsProperties {

  private FieldsProperties() {}

  /** Names are tokens, values have no control character: nothing that another parser would end a line at. */
  static void check(Fields fields) {
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.nameText(i);
      boolean token = !name.isEmpty() && name.chars().allMatch(c -> c > 0x20 && c < 0x7f && c != ':');
      boolean plain = fields.value(i).chars().allMatch(c -> c == '\t' || (c >= 0x20 && c != 0x7f));
      if (!token || !plain) {
        throw new IllegalStateException("accepted a field that others read in another way");
      }
    }
  }
}
