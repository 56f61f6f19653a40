// Predicates of VCMPPD: ordered, quiet.
#define EQUAL $0x00
#define LESS $0x11
#define LESS_EQUAL $0x12
#define GREATER $0x1e
