/* Text inside of XML 1.0: valid whatever the bytes. */
#ifndef KS_REPORT_XML_H
#define KS_REPORT_XML_H

#include "base/text.h"

/* Good for text and for values in double quotes. What XML has no character for (controls, bytes
 * that are not UTF-8, U+FFFE and U+FFFF) becomes U+FFFD; line feed and tab are kept as references. */
void ks_text_add_xml(ks_text *text, const char *string);

#endif
